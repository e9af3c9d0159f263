import type { SeededRandom } from '../random.ts'
import { createPlanksSvg } from '../scene-objects.ts'
import {
  applySvgClipPath,
  applySvgTransform,
  createEllipseSvg,
  createFilledPathSvg,
  createFoliageSvg,
  createHillsSvg,
  createRectSvg,
  createRepeatedSvg,
  createStrokedPathSvg,
  type DemoSceneDefinition,
  evergreenShades,
  type NestedSvgMarkup,
  place,
  verticalGradient,
  woodColours,
} from '../svg.ts'

const casement = (
  r: SeededRandom,
  x: number,
  y: number,
  w: number,
  h: number,
  air: readonly string[],
  view: NestedSvgMarkup,
  bars = 2,
): NestedSvgMarkup => [
  createRectSvg(x - 22, y - 22, w + 44, h + 44, '#8a5f3a'),
  applySvgClipPath(`w${x}`, `M${x} ${y}h${w}v${h}h${-w}Z`, [
    verticalGradient('view', ...air),
    createRectSvg(x, y, w, h, 'url(#view)'),
    applySvgTransform(`translate(${x} ${y})`, view),
  ]),
  createRepeatedSvg(bars - 1, (i) => createRectSvg(x + ((i + 1) * w) / bars - 7, y, 14, h, '#8a5f3a')),
  createRectSvg(x, y + h * r(0.44, 0.46), w, 12, '#8a5f3a'),
  createRectSvg(x - 44, y + h + 16, w + 88, 26, '#a3744a'),
  createRectSvg(x - 44, y + h + 38, w + 88, 8, '#5c3d22', 0.5),
]

export const breadScenes = {
  bread: {
    width: 1400,
    height: 1400,
    alt: { en: 'A fresh loaf on a board, two slices cut', ja: '板の上の焼きたてのパン。二枚だけ切ってある' },
    draw: (r, { sky: air, leaf, far }) => {
      const crust =
        'M-400 90C-420 -60 -300 -210 -60 -230C190 -240 390 -120 400 60C404 130 330 158 240 162H-280C-360 158 -394 140 -400 90Z'
      const slice = (x: number, y: number, turn: number): NestedSvgMarkup =>
        place(
          x,
          y,
          [
            createFilledPathSvg(
              'M-150 130C-190 20 -150 -120 0 -126C150 -120 190 20 150 130Q0 156 -150 130Z',
              '#b06a2c',
            ),
            createFilledPathSvg(
              'M-128 116C-162 20 -128 -100 0 -104C128 -100 162 20 128 116Q0 138 -128 116Z',
              '#f6e3ba',
            ),
            createRepeatedSvg(34, () => {
              const [a, out] = [r(0, 6.3), Math.sqrt(r())]
              return createEllipseSvg(
                Math.cos(a) * out * 116,
                10 + Math.sin(a) * out * 92,
                r(4, 13),
                r(3, 8),
                '#e3c48b',
              )
            }),
          ],
          1,
          turn,
        )
      return [
        createRectSvg(0, 0, 1400, 1400, '#9fb3ae'),
        createRepeatedSvg(10, (row) =>
          createRepeatedSvg(9, (i) =>
            createRectSvg(
              i * 170 - (row % 2) * 85 + 4,
              row * 84 + 4,
              162,
              76,
              r.pick(['#a9bcb6', '#b2c4bd', '#a2b6b0', '#bccbc3']),
              1,
              5,
            ),
          ),
        ),
        casement(r, 130, -40, 520, 560, air, [
          createHillsSvg(r, 520, 380, 30, 600, far[1], 3),
          createFoliageSvg(r, 130, 330, 140, 120, leaf),
          createFoliageSvg(r, 420, 390, 130, 90, evergreenShades),
          createRectSvg(0, 470, 520, 120, '#8fa562'),
        ]),
        // The next SVG shapes draw a shelf with jars.
        createRectSvg(800, 360, 640, 28, '#a3744a'),
        createRectSvg(800, 388, 640, 26, '#3b2413', 0.18),
        [
          [860, '#c1553a'],
          [1000, '#d9a441'],
          [1140, '#8a5a7a'],
          [1280, '#6e8048'],
        ].map(([x, jam]) => [
          createRectSvg(x as number, 226, 104, 134, '#eef3ee', 0.55, 18),
          createRectSvg((x as number) + 8, 256, 88, 98, jam as string, 0.9, 14),
          createRectSvg((x as number) + 2, 208, 100, 26, '#f1e6cf', 1, 8),
          createRectSvg((x as number) + 24, 282, 56, 40, '#f6efe0', 1, 4),
        ]),
        createPlanksSvg(r, 0, 780, 1400, 620, 5, woodColours),
        createRectSvg(0, 780, 1400, 20, '#3b2413', 0.25),
        createFilledPathSvg('M0 1400L460 790H900L620 1400Z', '#fff1cc', 0.25),
        // The next SVG shapes draw the cloth on the table.
        createFilledPathSvg('M-40 1090Q220 1040 520 1080L640 1320Q300 1370 -40 1330Z', '#e9e2d0'),
        applySvgClipPath('cloth', 'M-40 1090Q220 1040 520 1080L640 1320Q300 1370 -40 1330Z', [
          [80, 180, 280, 380, 480].map((x) =>
            createStrokedPathSvg(`M${x} 1000L${x + 60} 1400`, '#3e5d86', 18, 0.75),
          ),
          [1130, 1230].map((y) =>
            createStrokedPathSvg(`M-40 ${y}Q300 ${y - 40} 700 ${y}`, '#3e5d86', 12, 0.45),
          ),
        ]),
        // The next SVG shapes draw the board with the loaf and the slices.
        createEllipseSvg(740, 1170, 560, 60, '#3b2413', 0.3),
        createRectSvg(190, 1080, 1080, 66, '#8a5a33', 1, 26),
        createRectSvg(190, 1066, 1080, 52, '#b07a48', 1, 26),
        createRectSvg(1220, 1074, 150, 40, '#b07a48', 1, 20),
        createEllipseSvg(640, 1074, 420, 26, '#3b2413', 0.35),
        place(610, 906, [
          createFilledPathSvg(crust, '#a75f26'),
          applySvgClipPath('crust', crust, [
            createFilledPathSvg(
              'M-400 60C-400 -80 -290 -220 -60 -230C190 -240 380 -120 390 20Q200 130 -100 120T-400 60Z',
              '#c57e38',
            ),
            createEllipseSvg(-90, -140, 300, 110, '#d99a52'),
            [-250, -110, 30, 170].map((x) => [
              createFilledPathSvg(
                `M${x - 30} 60Q${x - 6} -120 ${x + 110} -220Q${x + 130} -210 ${x + 126} -196Q${x + 50} -90 ${x + 4} 60Z`,
                '#f3dcae',
              ),
              createStrokedPathSvg(`M${x - 30} 60Q${x - 6} -120 ${x + 110} -220`, '#8a4a1c', 7),
            ]),
            createRepeatedSvg(150, () =>
              createEllipseSvg(r(-380, 380), r(-230, 60), r(1.5, 5), r(1.5, 4), '#fff6e2', r(0.4, 0.95)),
            ),
            createRectSvg(-420, 110, 860, 80, '#5c2f10', 0.25),
          ]),
        ]),
        slice(1080, 950, 12),
        slice(1010, 978, -5),
        createRepeatedSvg(24, () =>
          createEllipseSvg(r(820, 1240), r(1074, 1104), r(3, 8), r(2, 5), '#c57e38'),
        ),
        // The next SVG shapes draw the butter and the knife.
        createEllipseSvg(1060, 1290, 190, 34, '#3b2413', 0.28),
        createEllipseSvg(1050, 1276, 184, 34, '#e8e2d2'),
        createEllipseSvg(1050, 1268, 160, 25, '#d6d0bf'),
        createFilledPathSvg('M950 1220L1090 1204L1150 1226V1264L1010 1284L950 1262Z', '#f2d377'),
        createFilledPathSvg('M950 1220L1090 1204L1150 1226L1010 1246Z', '#f9e4a0'),
        createStrokedPathSvg('M700 1300L890 1262', '#c9ccc8', 22),
        createStrokedPathSvg('M560 1328L700 1300', '#5c3d27', 26),
      ]
    },
  },
} satisfies Record<string, DemoSceneDefinition>
