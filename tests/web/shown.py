"""What a browser says of what it shows: text without contrast (WCAG 2, AA), controls without a name, what is too wide."""

from __future__ import annotations

from typing import Any

low_contrast = """() => {
  const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => {
    const part = v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const over = (top, under) => { const a = top.length > 3 ? top[3] : 1; return [0, 1, 2].map(i => a * top[i] + (1 - a) * under[i]); };
  const ground = element => {
    const chain = [];
    for (let at = element; at; at = at.parentElement) chain.unshift(parse(getComputedStyle(at).backgroundColor));
    return chain.reduce((under, top) => top.length ? over(top, under) : under, [255, 255, 255]);
  };
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement, text = walker.currentNode.textContent.trim();
    if (!text || !element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) continue;
    if (element.closest('script, style, [aria-disabled=true], .disabled, [aria-hidden=true], .covey-drawing')) continue;
    const style = getComputedStyle(element), below = ground(element);
    const ink = over(parse(element.closest('svg') ? style.fill : style.color), below);
    const size = parseFloat(style.fontSize), large = element.closest('.q-icon') || size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const [high, low] = [light(ink), light(below)].sort((a, b) => b - a), ratio = (high + 0.05) / (low + 0.05);
    if (ratio < (large ? 3 : 4.5)) found.push([text.slice(0, 40), Math.round(ratio * 100) / 100, style.color, below.join()]);
  }
  return found;
}"""

fits = "() => document.documentElement.scrollWidth <= window.innerWidth"

unseen = """() => {
  const at = document.activeElement, field = at.closest('.q-field'), style = getComputedStyle(at);
  const ring = style.outlineStyle !== 'none' || style.boxShadow !== 'none' || (field && field.classList.contains('q-field--focused'));
  return at !== document.body && !ring;
}"""
"""Whether the keyboard is at something, and nobody sees where."""

NEED_A_NAME = {"alertdialog", "group", "image", "progressbar", "region", "search", "table"}
"""Roles of what is announced by its name, beside all that the keyboard comes to."""


def _property(node: dict[str, Any], name: str) -> Any:
    return next((one["value"].get("value") for one in node.get("properties", ()) if one["name"] == name), None)


def spoken(node: dict[str, Any]) -> tuple[str, str]:
    """The role and the name that a screen reader says."""
    role, name = (node.get(part, {}).get("value", "") for part in ("role", "name"))
    return str(role), str(name).strip()


def focused(devtools: Any) -> tuple[str, str]:
    """The role and the name of what the keyboard is at, as the browser hands them to a screen reader."""
    there = devtools.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]["objectId"]
    asked = {"objectId": there, "fetchRelatives": False}
    return spoken(devtools.send("Accessibility.getPartialAXTree", asked)["nodes"][0])


def unnamed(page: Any) -> list[str]:
    """The roles of what a screen reader comes to and has no name for."""
    devtools = page.context.new_cdp_session(page)
    nodes = devtools.send("Accessibility.getFullAXTree")["nodes"]
    devtools.detach()
    met = [node for node in nodes if not node.get("ignored") and spoken(node)[0] not in ("RootWebArea", "generic")]
    heard = [node for node in met if _property(node, "focusable") or spoken(node)[0] in NEED_A_NAME]
    assert heard
    return [role for role, name in map(spoken, heard) if not name]
