"""The documentation site: `make docs` builds it into build/docs, without a network, from these pages and the docstrings."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))

project = "Covey"
author = "The Covey developers"
project_copyright = author
release = version = importlib.metadata.version("covey")

extensions = [
    "commands",
    "matplotlib.sphinxext.plot_directive",
    "mathml",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_extensions", "gallery", "pictures", "examples/*.ipynb"]
templates_path = ["_templates"]
default_role = "py:obj"
highlight_language = "none"
nitpicky = False

# Pages
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# Reference: one page a public name, from its docstring
autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_mock_imports = ["pyspark"]
numpydoc_show_class_members = False

# Gallery: the scripts of gallery/ are run, and what they print and draw is shown
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "examples",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "remove_config_comments": True,
    "write_computation_times": False,
}

# Pictures of the method pages, drawn while the site is built
plot_html_show_formats = False
plot_html_show_source_link = False
plot_formats = ["svg"]
plot_include_source = False

html_math_renderer = "mathml"

html_theme = "pydata_sphinx_theme"
html_title = "Covey"
html_static_path = ["_static"]
html_css_files = ["covey.css"]
html_favicon = "_static/logo.svg"
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "Covey", "image_light": "_static/logo.svg", "image_dark": "_static/logo-dark.svg"},
    "header_links_before_dropdown": 7,
    "navigation_with_keys": False,
    "show_nav_level": 1,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "article_footer_items": [],
    "show_prev_next": True,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"start": [], "install": [], "results": []}


def to_results(_app: Sphinx, page: str, source: list[str]) -> None:
    """Links to the file of results, which lies outside of docs/, lead to the page that shows it."""
    up = "../" * page.count("/")
    source[0] = source[0].replace(f"]({up}../benchmarks/RESULTS.md", f"]({up}results.md")


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", to_results)
