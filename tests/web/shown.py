"""What a browser says of what it shows: text without contrast (WCAG 2, AA), controls without a name, what is too wide."""

from __future__ import annotations

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

overflowing = "() => document.documentElement.scrollWidth - window.innerWidth"

unnamed = """() => {
  const name = one => one.getAttribute('aria-label') || one.innerText || one.title || (one.labels && one.labels[0] && one.labels[0].innerText)
    || (one.getAttribute('aria-labelledby') && document.getElementById(one.getAttribute('aria-labelledby')).innerText);
  return [...document.querySelectorAll('button, a[href], input, select, textarea, [role=tab], [role=combobox], [role=switch], svg[role=img]')]
    .filter(one => one.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) && !(name(one) || '').trim())
    .map(one => one.outerHTML.slice(0, 120));
}"""
