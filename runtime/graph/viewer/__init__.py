"""The graph viewer: an interactive drawing of a graph in a browser.

value_names     the names of values for a reader of the user's source
node_groups     nodes grouped by name scope and by source line
contents        nodes, edges and regions as data for the page
fragment        style, markup and script, for any page
layout.js       positions of boxes and lines; drawing.js, search.js, panel.js and viewer.js use it
"""
