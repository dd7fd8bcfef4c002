"""What the diagrams of the book share: a few shapes as SVG, in the book's own font sizes and colours."""

BLUE, PALE, ORANGE, GREY, INK = "#0072B2", "#9CC9E3", "#D55E00", "#E8E8E8", "#222222"


def text(x, y, words, size=14, anchor="start", weight="normal", fill=INK):
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{fill}">{words}</text>'
    )


def rect(x, y, width, height, fill, stroke="none"):
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" stroke="{stroke}" '
        'shape-rendering="crispEdges"/>'
    )


def line(x1, y1, x2, y2, width=1.2):
    return f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke="{INK}" stroke-width="{width:g}" fill="none"/>'


def arrow(x1, y1, x2, y2):
    return (
        f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke="{INK}" stroke-width="1.4" fill="none" '
        'marker-end="url(#head)"/>'
    )


def write(name, width, height, title, shapes):
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="DejaVu Sans, Verdana, sans-serif" role="img"><title>{title}</title>'
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{INK}"/></marker>'
        '<pattern id="idle" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        f'<rect width="6" height="6" fill="#fff"/><path d="M0 0V6" stroke="{ORANGE}" stroke-width="1.6"/></pattern></defs>'
    )
    with open(name, "w") as f:
        f.write(head + rect(0, 0, width, height, "#fff") + "\n" + "\n".join(shapes) + "\n</svg>\n")
