"""`Running`: what a session runs in other processes, what it says of that, and what the page looks at to follow it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from covey.errors import CoveyError
from covey.web.runs import Run
from covey.web.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from covey.web.worker import Spare

    Failed = Callable[[], None] | None


class Running:
    """The runs of a session, one at a time, and its messages by step.

    Changes raise `layout` (another step), `progress` (of a run) or the version of `previews`, which the page looks at many times a
    second. Long work goes to `far`, previews to `near`: two processes, so that k can be moved while a release is made.
    """

    def __init__(self, spare: Spare) -> None:
        self.near, self.far = Worker(spare), Worker(spare)
        self.layout = self.progress = 0
        self.step = "open"
        self.tasks: set[asyncio.Task[Any]] = set()
        self.run: Run | None = None
        self.messages: dict[str, str] = {}
        self.ended = ""
        """The step of a run that ended while another step was shown."""

    def changed(self) -> None:
        """Let the page know that a run began, ended or failed."""
        self.progress += 1

    def show(self) -> None:
        """Let the page be built anew."""
        self.layout += 1

    @property
    def message(self) -> str:
        """What went wrong at this step."""
        return self.messages.get(self.step, "")

    def tell(self, text: str) -> None:
        """Say what went wrong at this step."""
        self.messages[self.step] = text
        self.changed()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside the page, and keep hold of it."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def start(self, title: str, job: str, *given: object, then: Callable[[Any], None], failed: Failed = None) -> None:
        """Begin a long run, if none is running; `then` takes what it returns, `failed` is called if it returns nothing."""
        if self.run is None:
            self.run, self.ended = Run(title, self.step), ""
            self.messages.pop(self.step, None)
            self.changed()
            self.spawn(self._work(self.run, job, given, then, failed))

    async def _work(
        self, run: Run, job: str, given: tuple[Any, ...], then: Callable[[Any], None], failed: Failed
    ) -> None:
        try:
            then(await self.far.run(job, *given, tell=run.hear))
        except CoveyError as error:
            self.messages[run.at] = str(error)
            if failed is not None:
                failed()
        finally:
            if self.run is run:
                self.run, self.ended = None, "" if run.at == self.step else run.at
            self.changed()

    def cancel(self) -> None:
        """End the long run."""
        if self.run is not None:
            self.run.hear("ending")
            self.spawn(asyncio.to_thread(self.far.end))
