import {
  applySvgTransform,
  createEllipseSvg,
  createFilledPathSvg,
  createRectSvg,
  createRepeatedSvg,
  createStrokedPathSvg,
  mapNumbers,
  type NestedSvgMarkup,
} from './svg.ts'

/** The SVG portraits of members who are animals or things, by the key of the portrait; 512 × 512 pixels. */
export const creaturePortraits: Record<string, NestedSvgMarkup> = {
  owl: [
    createRectSvg(0, 0, 512, 512, '#33476a'),
    createEllipseSvg(392, 120, 62, 62, '#fbeecb'),
    mapNumbers('60 90, 130 50, 220 90, 300 40, 460 240, 40 250, 480 60', (x, y) =>
      createEllipseSvg(x, y, 4, 4, '#fff', 0.7),
    ),
    createStrokedPathSvg('M-20 452H532', '#4f3826', 34),
    createFilledPathSvg(
      'M128 230Q120 110 150 80Q190 120 256 118Q322 120 362 80Q392 110 384 230C400 400 340 460 256 460S112 400 128 230Z',
      '#8a6240',
    ),
    createFilledPathSvg('M170 290Q256 240 342 290Q350 440 256 444T170 290Z', '#dcc39a'),
    createRepeatedSvg(4, (row) =>
      createRepeatedSvg(4 - (row % 2), (i) =>
        createStrokedPathSvg(`M${196 + i * 40 + (row % 2) * 20} ${312 + row * 32}q12 14 24 0`, '#8a6240', 6),
      ),
    ),
    createFilledPathSvg(
      'M132 250Q100 340 160 430Q190 340 160 250ZM380 250Q412 340 352 430Q322 340 352 250Z',
      '#6f4b2d',
    ),
    mapNumbers('196, 316', (x) => [
      createEllipseSvg(x, 206, 66, 66, '#f3e4c4'),
      createEllipseSvg(x, 206, 40, 40, '#e0a03c'),
      createEllipseSvg(x, 206, 24, 24, '#221b18'),
      createEllipseSvg(x - 9, 196, 8, 8, '#fff'),
    ]),
    createFilledPathSvg('M236 232H276L256 276Z', '#d98a35'),
    mapNumbers('210, 300', (x) =>
      createStrokedPathSvg(`M${x - 16} 448v16M${x} 448v18M${x + 16} 448v16`, '#d98a35', 12),
    ),
  ],
  dango: [
    createRectSvg(0, 0, 512, 512, '#dfe3cf'),
    createEllipseSvg(256, 262, 224, 224, '#fffaf0', 0.4),
    applySvgTransform('rotate(24 256 256)', [
      createStrokedPathSvg('M256 60V520', '#c79a63', 17),
      mapNumbers('136, 256, 376', (y, i) => [
        createEllipseSvg(256, y, 82, 70, ['#eab3ae', '#f8f2e2', '#a9c086'][i]!),
        createEllipseSvg(230, y - 26, 26, 16, '#ffffff', 0.55),
      ]),
      mapNumbers('228, 284', (x) => [
        createEllipseSvg(x, 250, 8, 10, '#2b211c'),
        createEllipseSvg(x + (x < 256 ? -14 : 14), 270, 12, 7, '#d9705f', 0.35),
      ]),
      createStrokedPathSvg('M242 270Q256 282 270 270', '#8a3a34', 6),
    ]),
  ],
}
