import {
  createEllipseSvg,
  createFilledPathSvg,
  createRectSvg,
  createRepeatedSvg,
  createStrokedPathSvg,
  mapNumbers,
  type NestedSvgMarkup,
} from '../svg.ts'

/**
 * The SVG markup of the ferry in a scene at sea. The origin of its coordinates is the middle of the
 * waterline.
 */
export const demoFerrySvg: NestedSvgMarkup = [
  createFilledPathSvg('M-250 22Q-120 44 30 34T300 40Q120 60 -60 54T-250 22Z', '#ffffff', 0.6),
  createFilledPathSvg('M-176 -32H196L158 34H-150Q-172 8 -176 -32Z', '#f7f3e8'),
  createFilledPathSvg('M-172 -8H182L174 8H-168Z', '#c1452f'),
  createFilledPathSvg('M-160 20H166L158 34H-150Z', '#2f4a6d'),
  createRectSvg(-132, -76, 250, 44, '#fffdf6'),
  createRepeatedSvg(9, (i) => createRectSvg(-120 + i * 26, -66, 16, 18, '#5f8597', 1, 3)),
  createRectSvg(-70, -112, 132, 36, '#f7f3e8'),
  createRepeatedSvg(4, (i) => createRectSvg(-58 + i * 30, -104, 20, 14, '#5f8597', 1, 2)),
  createFilledPathSvg('M74 -76L80 -132H118L112 -76Z', '#c1452f'),
  createRectSvg(79, -132, 40, 12, '#2b2622'),
  createStrokedPathSvg('M-40 -112V-164M-40 -150L-110 -80', '#6b6a66', 3),
  createFilledPathSvg('M-40 -164l34 8l-34 10Z', '#d9a441'),
  mapNumbers('110 -154 20, 146 -170 28, 196 -184 36', (x, y, s) =>
    createEllipseSvg(x, y, s * 1.3, s * 0.7, '#fffaf0', 0.55),
  ),
]
