"""Sphinx's settings for the site, which `python tools/docs.py` builds."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from sphinx.domains.python import PyObject  # noqa: E402

import autograph  # noqa: E402
from tools import docs_reference  # noqa: E402

project = "autograph"
author = "the authors of autograph"
copyright = "the authors of autograph"
version = release = autograph.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.linkcode",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
]

# Pages are Markdown that also reads well without a site.
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# The gallery's notebooks run during the build; other pages are tests of the suite.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_execution_timeout = 120
nb_merge_streams = True

# Docstrings have Google's sections, and code in single backticks.
default_role = "code"
napoleon_use_rtype = False
napoleon_use_ivar = True
napoleon_use_admonition_for_examples = False
add_module_names = False
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
autodoc_preserve_defaults = True
maximum_signature_line_length = 88
linkcode_resolve = docs_reference.source_link
python_trailing_comma_in_multi_line_signatures = False
toc_object_entries = False

html_theme = "furo"
html_title = "autograph"
html_static_path = ["site_theme"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "monokai"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
templates_path: list[str] = []


def show_pictures(app, pagename, templatename, context, doctree):
    """Put the pictures of the notebooks above the table of the gallery."""
    if pagename != "gallery/index":
        return
    links = [
        f'<a href="{page.removeprefix("gallery/")}.html"><img src="../_images/{name}" '
        f'alt="{app.env.titles[page].astext()}"></a>'
        for pages, name in app.env.images.values()
        for page in pages
        if page.startswith("gallery/")
    ]
    pictures = f'<div class="pictures">{"".join(sorted(links))}</div>'
    before, table, after = context["body"].partition('<div class="table-wrapper')
    context["body"] = before + pictures + table + after


def setup(app):
    app.connect("html-page-context", show_pictures)
    for field in PyObject.doc_field_types:
        if field.name == "variable":
            field.label = "Attributes"
    app.connect("autodoc-process-signature", docs_reference.readable_signature)
    # Before napoleon, which makes lists of the sections.
    app.connect("autodoc-process-docstring", docs_reference.prepare_docstring, priority=100)
