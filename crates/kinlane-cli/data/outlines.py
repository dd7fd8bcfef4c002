"""Makes outlines.txt: the Latin letters, digits and signs that pictures need, from DejaVu Sans 2.37.

usage: python outlines.py DejaVuSans.ttf        (needs: pip install fonttools)
"""
import pathlib
import sys

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont

HERE = pathlib.Path(__file__).parent
font = TTFont(sys.argv[1])
glyphs, names = font.getGlyphSet(), font.getBestCmap()
wanted = [*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "ΔΦαμφ–—‘’“”•…⁰ⁱ⁴⁵⁶⁷⁸⁹⁻₀₁₂₃₄₅₆₇₈₉→−∞")]

lines = [f"# DejaVu Sans 2.37 in {font['head'].unitsPerEm} units to the font size: character, advance, SVG path (y upwards).\n"]
for code in wanted:
    pen = SVGPathPen(glyphs)
    glyphs[names[code]].draw(pen)
    lines.append(f"{code:04X} {glyphs[names[code]].width} {pen.getCommands()}".rstrip() + "\n")
(HERE / "outlines.txt").write_text("".join(lines))
