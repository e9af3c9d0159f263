import { createMugSvg, createPlanksSvg, createSteamSvg, createWoolBallSvg } from '../scene-objects.ts'
import {
  applySvgBlurFilter,
  applySvgClipPath,
  applySvgTransform,
  createConiferSvg,
  createEllipseOutlineSvg,
  createEllipseSvg,
  createFilledPathSvg,
  createFoliageSvg,
  createHillsSvg,
  createRectSvg,
  createRepeatedSvg,
  createStrokedPathSvg,
  createTreeSvg,
  type DemoSceneDefinition,
  evergreenShades,
  mapNumbers,
  place,
  verticalGradient,
  woodColours,
} from '../svg.ts'

export const homeScenes = {
  knitting: {
    width: 1400,
    height: 1400,
    alt: {
      en: 'A half-knitted scarf and a basket of wool by the window',
      ja: '窓辺の編みかけのマフラーと毛糸のかご',
    },
    draw: (r, { sky: air, far, leaf, season, grass }) => {
      const [a, b, c] = r.some(
        ['#b8543c', '#3e5d86', '#d9a441', '#6e8048', '#8a5a7a', '#5f8f8c', '#cf7c4c'],
        3,
      ) as [string, string, string]
      const cloth = 'M640 830H1110Q1130 980 1080 1080T1110 1330H660Q600 1200 650 1080T640 830Z'
      return [
        createRectSvg(0, 0, 1400, 1400, '#ded7c6'),
        // The next SVG shapes draw the window with the view.
        createRectSvg(150, 70, 1100, 520, '#8a5f3a'),
        applySvgClipPath('view', 'M180 100H1220V560H180Z', [
          verticalGradient('air', ...air),
          createRectSvg(180, 100, 1040, 460, 'url(#air)'),
          createHillsSvg(r, 1400, 330, 40, 600, far[2], 4),
          createHillsSvg(r, 1400, 390, 30, 600, far[1], 5),
          createRepeatedSvg(6, (i) =>
            season === 'winter'
              ? createConiferSvg(230 + i * 190 + r(-40, 40), 500, r(170, 260), ['#4f6a6c', '#718b8a', ''])
              : createFoliageSvg(
                  r,
                  230 + i * 190 + r(-40, 40),
                  440,
                  r(80, 120),
                  r(70, 100),
                  r() < 0.6 ? leaf : evergreenShades,
                ),
          ),
          createRectSvg(180, 490, 1040, 80, grass[1]),
          season === 'winter'
            ? createRepeatedSvg(70, () =>
                createEllipseSvg(r(180, 1220), r(100, 560), r(2, 6), r(2, 6), '#fff'),
              )
            : '',
        ]),
        [520, 868].map((x) => createRectSvg(x, 90, 14, 480, '#8a5f3a')),
        createRectSvg(110, 584, 1180, 34, '#a3744a'),
        createRectSvg(110, 616, 1180, 12, '#5c3d22', 0.5),
        mapNumbers('150 0, 1250 1', (x, flip) =>
          applySvgTransform(`translate(${x} 0) scale(${flip ? -1 : 1} 1)`, [
            createFilledPathSvg('M-90 30H150Q100 300 40 470Q60 620 20 720H-90Z', '#f1ead9'),
            [0, 50, 96].map((fold) =>
              createStrokedPathSvg(`M${fold - 40} 40Q${fold - 50} 340 ${fold * 0.4 - 40} 700`, '#cfc5ad', 6),
            ),
          ]),
        ),
        createRectSvg(-10, 20, 1420, 22, '#6b4a30'),
        createMugSvg(1050, 586, 100, '#5f8f8c'),
        createSteamSvg(1050, 480, 120, 0.8),
        // The next SVG shapes draw the bench of wooden boards and the sunlight on it.
        createPlanksSvg(r, 0, 850, 1400, 550, 4, woodColours),
        createRectSvg(0, 850, 1400, 22, '#3b2413', 0.22),
        createFilledPathSvg('M120 1400L330 870H820L700 1400Z', '#fff1cc', 0.25),
        // The next SVG shapes draw the basket with balls of wool.
        createEllipseSvg(330, 1260, 290, 44, '#3b2413', 0.32),
        createStrokedPathSvg('M110 930Q330 560 560 930', '#7d5634', 26),
        createStrokedPathSvg('M420 960L610 600', '#a3744a', 17),
        createEllipseSvg(613, 594, 20, 20, '#b8452f'),
        createWoolBallSvg(r, 250, 930, 116, a),
        createWoolBallSvg(r, 420, 900, 128, b),
        createWoolBallSvg(r, 330, 990, 100, c),
        applySvgClipPath('basket', 'M80 950H580L530 1240Q330 1290 130 1240Z', [
          createRectSvg(60, 930, 560, 360, '#b98650'),
          createRepeatedSvg(8, (row) =>
            createRepeatedSvg(15, (i) =>
              createRectSvg(
                64 + i * 38 + (row % 2) * 19,
                960 + row * 40,
                33,
                33,
                i % 2 ? '#a3744a' : '#cda26d',
                1,
                9,
              ),
            ),
          ),
          createRectSvg(440, 930, 180, 360, '#3b2413', 0.15),
        ]),
        createRectSvg(66, 934, 528, 36, '#8f6540', 1, 18),
        // The next SVG shapes draw the knitted scarf with its rows of stitches.
        createEllipseSvg(900, 1340, 320, 34, '#3b2413', 0.28),
        createFilledPathSvg(cloth, a),
        applySvgClipPath('scarf', cloth, [
          createRepeatedSvg(23, (row) => {
            const colour = [a, a, a, b, b, c, b, b][row % 8]!
            return [
              createRectSvg(560, 830 + row * 23, 640, 24, colour),
              createRepeatedSvg(22, (i) => [
                createStrokedPathSvg(
                  `M${590 + i * 26 + Math.sin(row / 3) * 16} ${832 + row * 23}l12 17`,
                  '#fffaf0',
                  7,
                  0.3,
                ),
                createStrokedPathSvg(
                  `M${615 + i * 26 + Math.sin(row / 3) * 16} ${832 + row * 23}l-12 17`,
                  '#2b1a12',
                  7,
                  0.13,
                ),
              ]),
            ]
          }),
          createFilledPathSvg('M1040 800Q1050 1000 1010 1080T1040 1340H1160V800Z', '#2b1a12', 0.15),
        ]),
        createRepeatedSvg(17, (i) =>
          createStrokedPathSvg(`M${668 + i * 27} 1326q${r(-10, 10)} 24 ${r(-8, 8)} 46`, [a, b][i % 2]!, 9),
        ),
        createStrokedPathSvg('M560 790L1190 850', '#5c3d27', 21),
        createStrokedPathSvg('M560 784L1190 844', '#a3744a', 9),
        createEllipseSvg(1196, 850, 22, 22, '#b8452f'),
        createRepeatedSvg(17, (i) =>
          createStrokedPathSvg(`M${650 + i * 27.5} ${792 + i * 2.7}q13 22 0 44`, i % 2 ? a : c, 13),
        ),
        createStrokedPathSvg('M640 830C560 760 520 830 530 900', a, 8),
      ]
    },
  },

  books: {
    width: 1200,
    height: 1600,
    alt: { en: 'A stack of books by the window on a rainy day', ja: '雨の日の窓辺に積んだ本' },
    draw: (r, { leaf, season }) => {
      let top = 1366
      const stack = r
        .some(['#b8543c', '#3e5d86', '#d9a441', '#5f7f5c', '#8a5a7a', '#e6d9bd', '#4f7a86', '#7a4a38'], 8)
        .map((colour, i) => {
          const h = r(46, 76)
          top -= h
          return { colour, w: r(560, 720) - i * 16, h, x: 620 + r(-46, 46), y: top }
        })
      return [
        createRectSvg(0, 0, 1200, 1600, '#cfc6b3'),
        createRectSvg(120, -20, 960, 1000, '#7d5634'),
        applySvgClipPath('pane', 'M156 -20H1044V940H156Z', [
          verticalGradient('air', '#8fa3a8', '#b9c6c3', '#dadfd3'),
          createRectSvg(150, -20, 900, 970, 'url(#air)'),
          createHillsSvg(r, 1200, 520, 50, 1000, '#a3b4b1', 3),
          applySvgBlurFilter(
            [
              createTreeSvg(r, 330, 900, 620, leaf),
              createTreeSvg(r, 860, 930, 760, leaf),
              createFoliageSvg(r, 600, 820, 220, 120, evergreenShades),
            ],
            7,
          ),
          createRectSvg(150, 800, 900, 160, '#7f9a78', 0.8),
          season === 'winter'
            ? createRepeatedSvg(90, () =>
                createEllipseSvg(r(156, 1044), r(0, 940), r(2, 7), r(2, 7), '#fff', 0.9),
              )
            : createRepeatedSvg(60, () =>
                createStrokedPathSvg(`M${r(156, 1044)} ${r(-20, 900)}v${r(20, 70)}`, '#ffffff', 2.5, 0.35),
              ),
          createRepeatedSvg(46, () => {
            const [x, top] = [r(160, 1040), r(0, 900)]
            return [
              createEllipseSvg(x, top, 6, 9, '#eef4f2', 0.75),
              r() < 0.4 ? createStrokedPathSvg(`M${x} ${top}q4 -40 0 ${-r(50, 150)}`, '#eef4f2', 3, 0.4) : '',
            ]
          }),
          createFilledPathSvg('M156 -20H520L156 600Z', '#ffffff', 0.12),
        ]),
        createRectSvg(590, -20, 20, 980, '#7d5634'),
        createRectSvg(150, 430, 900, 18, '#7d5634'),
        createRectSvg(70, 950, 1060, 50, '#8f6540'),
        createRectSvg(70, 996, 1060, 14, '#3b2413', 0.35),
        // The next SVG shapes draw a plant on the window sill.
        place(240, 952, [
          createFilledPathSvg('M-70 -110L-54 0H54L70 -110Z', '#f1e6cf'),
          createRectSvg(-76, -126, 152, 26, '#e0d3b6', 1, 6),
          createFilledPathSvg('M10 -100H68L54 0H10Z', '#2b1a12', 0.1),
          [-70, -40, -8, 26, 60].map((lean, i) =>
            place(
              0,
              -120,
              createFilledPathSvg(
                `M0 0Q34 ${-110 - i * 12} 6 -230Q-36 -120 0 0Z`,
                i % 2 ? '#4a7350' : '#6e9a64',
              ),
              1,
              lean,
            ),
          ),
        ]),
        // The next SVG shapes draw the table with the stack of books.
        createRectSvg(0, 1280, 1200, 320, '#b98650'),
        createRectSvg(0, 1280, 1200, 16, '#d3a873'),
        createPlanksSvg(r, 0, 1296, 1200, 304, 3, woodColours),
        createEllipseSvg(620, 1372, 430, 34, '#3b2413', 0.3),
        stack.map(({ colour, w, h, x, y }, i) => {
          return [
            createRectSvg(x - w / 2, y, w, h, colour, 1, 7),
            i % 3 === 1
              ? [
                  createRectSvg(x + w / 2 - 40, y + 8, 40, h - 16, '#f4ecd8'),
                  createRepeatedSvg(4, (n) =>
                    createRectSvg(x + w / 2 - 40, y + 13 + n * ((h - 22) / 4), 40, 2, '#d3c6a6'),
                  ),
                ]
              : [
                  createRectSvg(x - w / 2 + 34, y, 12, h, '#fffaf0', 0.55),
                  createRectSvg(x - w / 2 + 60, y, 5, h, '#fffaf0', 0.45),
                  createRectSvg(x + w * 0.1, y + h * 0.34, w * 0.2, h * 0.3, '#fffaf0', 0.4),
                ],
            createRectSvg(x - w / 2, y + h - 9, w, 9, '#2b1a12', 0.16),
            i === 5 ? createFilledPathSvg(`M${x + w * 0.3} ${y + h}v70l14 -14l14 14v-70Z`, '#c1452f') : '',
          ]
        }),
        applySvgTransform(`translate(560 ${top})`, [
          createStrokedPathSvg('M-50 -26h14M-118 -34Q-140 -44 -160 -20M32 -34Q60 -44 84 -20', '#2b2622', 8),
          createEllipseSvg(-84, -34, 36, 36, '#ffffff', 0.35),
          createEllipseOutlineSvg(-84, -34, 36, 36, '#2b2622', 8),
          createEllipseSvg(-2, -34, 36, 36, '#ffffff', 0.35),
          createEllipseOutlineSvg(-2, -34, 36, 36, '#2b2622', 8),
        ]),
        createMugSvg(790, top, 110, '#f1e6cf'),
        createSteamSvg(790, top - 116, 130, 0.8),
        // The next SVG shapes draw an open book and an orange.
        place(250, 1500, [
          createEllipseSvg(10, 34, 240, 26, '#3b2413', 0.28),
          createFilledPathSvg(
            'M0 20Q-110 -20 -220 20L-200 -50Q-100 -90 0 -50Q100 -90 200 -50L220 20Q110 -20 0 20Z',
            '#f6efdd',
          ),
          createFilledPathSvg('M0 20Q110 -20 220 20L200 -50Q100 -90 0 -50Z', '#e8ddc2'),
          createRepeatedSvg(4, (i) =>
            createStrokedPathSvg(
              `M${-172 + i * 3} ${-34 + i * 14}Q-90 ${-64 + i * 14} -24 ${-38 + i * 14}M28 ${-38 + i * 14}Q96 ${-64 + i * 14} ${176 - i * 3} ${-34 + i * 14}`,
              '#a89d86',
              4,
            ),
          ),
        ]),
        mapNumbers('900 1490 64, 1020 1510 58', (x, top, size) => [
          createEllipseSvg(x + 10, top + size * 0.86, size, 12, '#3b2413', 0.28),
          createEllipseSvg(x, top, size, size * 0.9, '#e5862f'),
          createEllipseSvg(x - 16, top - 16, size * 0.4, size * 0.3, '#f4ad5c'),
          createFilledPathSvg(`M${x} ${top - size * 0.86}q26 -22 44 -4q-20 18 -44 4Z`, '#5f7f4c'),
        ]),
      ]
    },
  },
} satisfies Record<string, DemoSceneDefinition>
