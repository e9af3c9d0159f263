import { createPlanksSvg } from '../scene-objects.ts'
import {
  applySvgBlurFilter,
  applySvgTransform,
  createEllipseOutlineSvg,
  createEllipseSvg,
  createFilledPathSvg,
  createRectSvg,
  createRepeatedSvg,
  createStrokedPathSvg,
  type DemoSceneDefinition,
  mapNumbers,
  place,
} from '../svg.ts'

export const keyScenes = {
  key: {
    width: 1200,
    height: 1600,
    alt: {
      en: 'One key with a wooden tag on a row of five hooks',
      ja: '五つ並んだ鍵かけに、木札のついた鍵がひとつ',
    },
    draw: (r, { leaf, hour }) => [
      createRectSvg(0, 0, 1200, 1600, '#dcd5c3'),
      createRepeatedSvg(90, () =>
        createEllipseSvg(r(0, 1200), r(0, 1100), r(4, 60), r(1, 3), '#c6bda6', 0.4),
      ),
      createFilledPathSvg('M-20 500L760 -60H1220L-20 1080Z', hour === 'gold' ? '#ffd79a' : '#fff6df', 0.55),
      applySvgBlurFilter(
        mapNumbers('300 300 60, 420 240 90, 520 180 50, 240 420 70', (x, y, size) =>
          createEllipseSvg(x, y, size, size * 0.6, '#8f9a7c', 0.35),
        ),
        9,
      ),
      createPlanksSvg(r, 0, 1080, 1200, 540, 8, ['#8f6540', '#87603c', '#966b45'], true),
      createRectSvg(0, 1070, 1200, 30, '#6b4a30'),
      createRectSvg(0, 1070, 1200, 8, '#a3744a'),
      createRectSvg(0, 1100, 1200, 20, '#2b1a12', 0.25),
      place(0, -150, [
        // The next SVG shapes draw the board with the key hooks.
        createRectSvg(150, 470, 900, 170, '#2b1a12', 0.2, 16),
        createRectSvg(140, 450, 900, 166, '#a3744a', 1, 16),
        createRectSvg(140, 450, 900, 20, '#c19566', 1, 10),
        createRepeatedSvg(5, () =>
          createStrokedPathSvg(`M${r(170, 400)} ${r(490, 600)}h${r(200, 560)}`, '#8a5f3a', 3, 0.5),
        ),
        mapNumbers('176 480, 1004 480, 176 588, 1004 588', (x, y) => createEllipseSvg(x, y, 8, 8, '#6b4a30')),
        createRepeatedSvg(5, (i) => {
          const x = 262 + i * 164
          return [
            createRectSvg(x - 26, 500, 52, 66, '#c9a24a', 1, 12),
            createRectSvg(x - 26, 500, 52, 14, '#e3c67c', 1, 7),
            createEllipseSvg(x, 520, 5, 5, '#7d6224'),
            createStrokedPathSvg(`M${x} 540V584Q${x} 616 ${x + 28} 612T${x + 40} 580`, '#b08a36', 14),
            createEllipseSvg(x + 40, 580, 10, 10, '#c9a24a'),
          ]
        }),
        // The next SVG shapes draw a key with a cord and a tag, which hang on the fourth hook.
        applySvgTransform(
          'translate(30 26)',
          [
            createStrokedPathSvg('M776 610L700 800M776 610L864 790', '#2b1a12', 12),
            createRectSvg(810, 780, 130, 250, '#2b1a12', 1, 16),
            createRectSvg(690, 850, 30, 240, '#2b1a12'),
          ],
          0.16,
        ),
        createStrokedPathSvg('M782 606Q720 690 700 770M784 606Q830 690 864 790', '#c1452f', 11),
        createEllipseSvg(783, 612, 15, 13, '#a83623'),
        place(
          700,
          764,
          [
            createEllipseOutlineSvg(0, 44, 42, 42, '#8f989b', 22),
            createRectSvg(-11, 84, 22, 190, '#8f989b'),
            createRectSvg(-11, 84, 8, 190, '#b9c1c3'),
            createRectSvg(11, 214, 44, 20, '#8f989b'),
            createRectSvg(11, 248, 58, 24, '#8f989b'),
            createEllipseSvg(0, 90, 22, 14, '#7a8386'),
          ],
          1.15,
          r(5, 9),
        ),
        place(
          868,
          770,
          [
            createRectSvg(-62, 0, 124, 250, '#d9b27c', 1, 18),
            createRectSvg(-62, 0, 124, 30, '#e8c897', 1, 15),
            createRectSvg(34, 4, 28, 246, '#8a5f3a', 0.25, 14),
            createEllipseSvg(0, 34, 13, 13, '#7d5634'),
            createStrokedPathSvg(
              'M-30 90H30M-30 90V140M30 90V140M-40 90L0 62L40 90M-30 140H30M0 140V104',
              '#7a3b2b',
              8,
            ),
            createStrokedPathSvg('M-26 186H26M-16 212H16', '#7a3b2b', 7, 0.7),
          ],
          1.1,
          r(-12, -7),
        ),
      ]),
      // The next SVG shapes draw a shelf with a small branch and a folded note.
      createRectSvg(90, 900, 430, 30, '#8f6540'),
      createRectSvg(90, 900, 430, 8, '#b98650'),
      createRectSvg(100, 930, 410, 24, '#2b1a12', 0.18),
      createStrokedPathSvg(
        'M210 770Q190 660 250 560M212 720Q150 660 150 600M216 700Q280 640 330 640',
        '#5c4330',
        8,
      ),
      createRepeatedSvg(22, () => {
        const [x, y] = r.pick([
          [246, 570],
          [236, 620],
          [152, 610],
          [170, 650],
          [324, 640],
          [280, 654],
        ] as const)
        return place(
          x + r(-14, 14),
          y + r(-14, 14),
          createFilledPathSvg('M0 0Q20 -26 54 -14Q42 18 0 0Z', r.pick(leaf)),
          r(0.8, 1.3),
          r(-180, 40),
        )
      }),
      createFilledPathSvg(
        'M160 900Q130 820 176 780Q190 760 184 744H240Q234 760 248 780Q294 820 264 900Z',
        '#4f7a86',
      ),
      createFilledPathSvg(
        'M220 744H240Q234 760 248 780Q294 820 264 900H226Q256 820 220 780Z',
        '#2b3f47',
        0.3,
      ),
      createFilledPathSvg('M340 900L356 820H470L486 900Z', '#f6efe0'),
      createFilledPathSvg('M340 900L356 820H412L406 900Z', '#e6dcc4'),
      createStrokedPathSvg('M430 846H462M428 864H466', '#a89d86', 5),
      // The next SVG shapes draw an umbrella stand at the edge of the picture.
      createRectSvg(860, 1290, 220, 320, '#4b5a5e', 1, 20),
      createRectSvg(850, 1280, 240, 36, '#5d6e72', 1, 18),
      createStrokedPathSvg('M930 1290V1140q0 -50 40 -44', '#6b4a30', 16),
      createStrokedPathSvg('M1010 1290L1030 1120q6 -50 48 -36', '#2b2622', 15),
      createFilledPathSvg('M916 1290L930 1170L946 1290Z', '#c1452f'),
      createFilledPathSvg('M996 1290L1026 1150L1030 1290Z', '#3e5d86'),
      createRectSvg(1020, 1316, 60, 290, '#2b2622', 0.18),
    ],
  },
} satisfies Record<string, DemoSceneDefinition>
