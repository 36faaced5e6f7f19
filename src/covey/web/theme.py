"""The colours of the page, light and dark, and its style sheet. A test computes their contrast (WCAG AA)."""

from __future__ import annotations

LIGHT = {
    "ground": "#f4f6f8",
    "card": "#ffffff",
    "text": "#1b2733",
    "muted": "#4a5a6a",
    "line": "#7b8794",
    "soft": "#e3e8ed",
    "primary": "#1f5f8b",
    "on-primary": "#ffffff",
    "before": "#b3540e",
    "after": "#1f5f8b",
    "good": "#1d6b3a",
    "bad": "#a8241c",
}
DARK = {
    "ground": "#11171d",
    "card": "#1a222b",
    "text": "#e6edf3",
    "muted": "#b0bdc9",
    "line": "#7c8b9a",
    "soft": "#2b3742",
    "primary": "#84c1f2",
    "on-primary": "#0b1a27",
    "before": "#f0a868",
    "after": "#84c1f2",
    "good": "#86d8a5",
    "bad": "#ffa197",
}
TEXTS = (("text", "ground"), ("text", "card"), ("muted", "ground"), ("muted", "card"), ("primary", "card"))
TEXTS += (("primary", "ground"), ("on-primary", "primary"), ("good", "card"), ("bad", "card"), ("text", "soft"))
"""Colours of text, and what they stand on: 4.5 to 1 or more."""
SHAPES = (("before", "card"), ("after", "card"), ("line", "card"), ("primary", "card"))
"""Colours of drawings and edges of fields, and what they stand on: 3 to 1 or more."""


def _variables(colours: dict[str, str]) -> str:
    quasar = {"q-primary": "primary", "q-positive": "good", "q-negative": "bad", "q-dark": "card", "q-dark-page": "ground"}
    own = "".join(f"--{name}: {value};" for name, value in colours.items())
    return own + "".join(f"--{name}: {colours[ours]} !important;" for name, ours in quasar.items())


STYLE = f"""
body.body--light {{ {_variables(LIGHT)} }}
body.body--dark {{ {_variables(DARK)} }}
""" + """
body { background: var(--ground) !important; color: var(--text) !important; font-family: system-ui, sans-serif; }
.nicegui-content { padding: 0; align-items: stretch; }
.covey-main { width: 100%; max-width: 1180px; margin: 0 auto; padding: 1rem; gap: 1rem; }
.covey-head { background: var(--card); color: var(--text); border-bottom: 1px solid var(--soft); box-shadow: none; padding: .4rem 1rem; }
.covey-card { background: var(--card) !important; color: var(--text); width: 100%; border: 1px solid var(--soft); box-shadow: none; }
.covey-title { font-size: 1.25rem; font-weight: 600; line-height: 1.3; margin: 0; }
.covey-muted { color: var(--muted); }
.covey-bad { color: var(--bad); }
.covey-good { color: var(--good); }
.covey-figure { font-size: 1.6rem; font-weight: 650; line-height: 1.15; font-variant-numeric: tabular-nums; }
.covey-figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .8rem; width: 100%; }
.covey-two { display: grid; grid-template-columns: minmax(17rem, 24rem) minmax(0, 1fr); gap: 1rem; width: 100%; align-items: start; }
.covey-pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem; width: 100%; }
.covey-column { display: grid; grid-template-columns: minmax(8rem, 1.4fr) 7.5rem 5rem 5rem 7rem 12rem; gap: .2rem .8rem; align-items: center;
  width: 100%; padding: .45rem 0; border-top: 1px solid var(--soft); }
.covey-column > * { min-width: 0; overflow-wrap: anywhere; }
.covey-reason { grid-column: 1 / -1; font-size: .85rem; }
.covey-small { display: none; }
.covey-number { text-align: right; font-variant-numeric: tabular-nums; }
.covey-drop { border: 2px dashed var(--line); border-radius: .5rem; }
.covey-plane { position: relative; width: 100%; height: 24rem; }
.covey-plane svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.covey-point { position: absolute !important; transform: translate(-50%, 50%); min-height: 1.6rem !important; min-width: 1.6rem !important; }
.covey-drawing { background: #ffffff; border-radius: .4rem; padding: .3rem; }
.covey-drawing svg { width: 100%; height: auto; display: block; }
.covey-plot svg { width: 100%; height: auto; display: block; }
.before { fill: var(--before); } .after { fill: var(--after); } .axis { stroke: var(--line); } .ink { fill: var(--text); }
.q-tab { color: var(--text); } .q-tab--active { color: var(--primary); } .q-tab.disabled { opacity: .55 !important; }
.q-btn { text-transform: none; } .q-btn.bg-primary { color: var(--on-primary) !important; }
.q-field--outlined .q-field__control:before { border-color: var(--line) !important; }
.q-field__label, .q-field__native, .q-field__input, .q-field__marginal { color: var(--text) !important; }
.q-menu, .q-item { background: var(--card); color: var(--text); } .q-item--active { color: var(--primary); font-weight: 600; }
.q-uploader { width: 100%; background: transparent; box-shadow: none; max-height: 12rem; }
.q-uploader__header { background: var(--primary); color: var(--on-primary); } .q-uploader__list { background: var(--card); color: var(--text); }
:focus-visible, .q-btn:focus-visible, .q-tab:focus-visible { outline: 3px solid var(--primary) !important; outline-offset: 2px; }
@media (max-width: 800px) {
  .covey-two { grid-template-columns: minmax(0, 1fr); }
  .covey-column { grid-template-columns: 1fr 1fr; } .covey-column.covey-names { display: none; }
  .covey-small { display: inline; } .covey-number { text-align: left; }
  .covey-main { padding: .6rem; } .covey-plane { height: 18rem; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; animation: none !important; } }
"""
