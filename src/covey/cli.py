"""The command line: thin. What goes wrong is said in one line."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from covey.commands.check import check_command
from covey.commands.compare import compare_command
from covey.commands.demo import demo_command
from covey.commands.methods import methods_command
from covey.commands.network import app as network_app
from covey.commands.options import PanelCommand
from covey.commands.recipe import recipe_command
from covey.commands.release import release_command
from covey.commands.web import web_command
from covey.errors import CoveyError, did_you_mean
from covey.utils.version import version

if TYPE_CHECKING:
    from collections.abc import Sequence

app = typer.Typer(
    name="covey",
    help="Microaggregation: publish every record as one of at least k.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("release", cls=PanelCommand)(release_command)
app.command("check", cls=PanelCommand)(check_command)
app.command("compare", cls=PanelCommand)(compare_command)
app.command("recipe", cls=PanelCommand)(recipe_command)
app.command("methods", cls=PanelCommand)(methods_command)
app.command("demo", cls=PanelCommand)(demo_command)
app.command("web", cls=PanelCommand)(web_command)
app.add_typer(network_app, name="network")


def _version(value: bool) -> None:  # noqa: FBT001
    if value:
        sys.stdout.write(f"covey {version()}\n")
        raise typer.Exit


@app.callback()
def _main(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    del version


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0, 1 for a check that failed, 2 for an error, 130 when interrupted."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = app(given or ["--help"], prog_name="covey", standalone_mode=False)
    except CoveyError as error:
        return _fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except MemoryError:
        return _fail("the memory is not enough for this table; nothing was written")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except Exception as error:
        if hasattr(error, "format_message"):  # a mistake in the options
            return _fail(_mistake(error))
        if os.environ.get("COVEY_TRACEBACK"):
            raise
        return _fail(f"a bug in covey ({type(error).__name__}); nothing was written; COVEY_TRACEBACK=1 shows where")
    if code == 130:  # which typer also makes of an interrupt
        _fail("interrupted; no output was written")
    return code if isinstance(code, int) else 0


def _mistake(error: Any) -> str:
    """A mistake in the options in words; of an option that there is not, with the nearest that there is."""
    name, context = getattr(error, "option_name", None), getattr(error, "ctx", None)
    if not hasattr(error, "possibilities") or context is None:
        return str(error.format_message())
    shown = [parameter for parameter in context.command.params if not getattr(parameter, "hidden", False)]
    known = [option for parameter in shown for option in (*parameter.opts, *parameter.secondary_opts)]
    return f"No such option: {name}{did_you_mean(name, known)}; {context.command_path} --help lists all"


def _fail(message: str) -> int:
    sys.stderr.write(f"covey: {' '.join(message.split())}\n")
    return 2


def _stop(number: int, _frame: object) -> None:
    raise KeyboardInterrupt(number)


def run() -> None:
    """The program `covey`."""
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # ended like an interrupt: what was begun is taken back
            signal.signal(getattr(signal, name), _stop)
    code = main()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)  # threads of Arrow that end late would abort the program after its work is done
