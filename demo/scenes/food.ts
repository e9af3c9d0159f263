import { handwriting, personFromBehind } from '../scene-objects.ts'
import {
  createEllipseSvg,
  createFilledPathSvg,
  createFoliageSvg,
  createRectSvg,
  createRepeatedSvg,
  createSkySvg,
  createStrokedPathSvg,
  type DemoSceneDefinition,
  evergreenShades,
  type NestedSvgMarkup,
  place,
} from '../svg.ts'

export const foodScenes = {
  market: {
    width: 1600,
    height: 900,
    alt: { en: 'The vegetable stall on market morning', ja: '朝市の野菜の店' },
    draw: (r, { sky: air, leaf }) => {
      const crate = (
        x: number,
        y: number,
        fill: string,
        item: (px: number, py: number) => NestedSvgMarkup,
      ): NestedSvgMarkup => [
        createRectSvg(x, y - 26, 200, 40, '#6b4a30'),
        createRepeatedSvg(11, (i) =>
          item(x + 22 + (i % 6) * 31 + (i > 5 ? 16 : 0), y - 22 - (i > 5 ? 24 : 0)),
        ),
        createRectSvg(x - 6, y - 4, 212, 84, '#b98650', 1, 4),
        [24, 50].map((dy) => createRectSvg(x - 6, y + dy, 212, 6, '#7d5634', 0.7)),
        createRectSvg(x + 62, y + 16, 80, 46, fill, 1, 5),
        handwriting(x + 76, y + 32, 50, 2, 14, '#5c4a3a', 5),
      ]
      const home = (x: number, w: number, h: number, wall: string): NestedSvgMarkup => [
        createRectSvg(x, 620 - h, w, h, wall),
        createFilledPathSvg(
          `M${x - 26} ${640 - h}L${x + 30} ${560 - h}H${x + w - 30}L${x + w + 26} ${640 - h}Z`,
          '#59646a',
        ),
        createRepeatedSvg(3, (i) => [
          createRectSvg(x + 30 + (i * (w - 60)) / 3, 690 - h, (w - 100) / 3, 76, '#6b5546'),
          createRepeatedSvg(4, (n) =>
            createRectSvg(x + 34 + (i * (w - 60)) / 3 + n * ((w - 100) / 12), 690 - h, 5, 76, '#a3896c'),
          ),
        ]),
        createRectSvg(x, 640 - h, w, 20, '#2b2622', 0.2),
      ]
      return [
        createSkySvg(1600, 610, air),
        home(-40, 360, 470, '#d9cbb0'),
        home(330, 330, 400, '#b9a486'),
        home(1000, 320, 430, '#cdbfa4'),
        home(1330, 340, 500, '#a89476'),
        createFoliageSvg(r, 790, 360, 210, 150, leaf, 13),
        createFoliageSvg(r, 960, 440, 120, 90, evergreenShades),
        createRectSvg(0, 600, 1600, 300, '#cfc3aa'),
        createRepeatedSvg(7, (row) =>
          createStrokedPathSvg(`M0 ${620 + row * row * 6}H1600`, '#b8ab90', 2 + row * 0.4),
        ),
        personFromBehind(120, 760, 330, '#8a5a7a', '#2b2622'),
        personFromBehind(1500, 750, 310, '#5f7f5c', '#6d6a66'),
        // The next SVG shapes draw the vegetable stall.
        [300, 1270].map((x) => [
          createRectSvg(x, 200, 26, 640, '#6b4a30'),
          createRectSvg(x, 200, 9, 640, '#8a6240'),
        ]),
        createRectSvg(320, 330, 960, 300, '#3b2f28', 0.55),
        createRepeatedSvg(6, (i) => [
          createStrokedPathSvg(`M${420 + i * 150} 300V${350}`, '#5c4a3a', 4),
          r.pick([
            createRepeatedSvg(5, (n) =>
              createEllipseSvg(420 + i * 150 + (n % 2 ? 10 : -10), 362 + n * 19, 17, 15, '#e5862f'),
            ),
            createRepeatedSvg(6, (n) =>
              createStrokedPathSvg(
                `M${420 + i * 150} 350q${(n - 2.5) * 13} 40 ${(n - 2.5) * 16} 84`,
                '#d5a94a',
                9,
              ),
            ),
            createRepeatedSvg(7, (n) =>
              createEllipseSvg(420 + i * 150 + (n % 2 ? 12 : -12), 358 + n * 14, 13, 13, '#efe3cf'),
            ),
          ]),
        ]),
        place(
          800,
          630,
          [
            createRectSvg(-82, -290, 164, 300, '#e8dcc4', 1, 60),
            createRectSvg(-64, -250, 128, 260, '#2f5d4e', 1, 14),
            createStrokedPathSvg('M-44 -250L-30 -290M44 -250L30 -290', '#2f5d4e', 12),
            createStrokedPathSvg('M-84 -230Q-130 -150 -90 -80M84 -230Q140 -170 150 -110', '#e8dcc4', 42),
            createEllipseSvg(-88, -74, 22, 20, '#dba983'),
            createEllipseSvg(152, -100, 22, 20, '#dba983'),
            createRectSvg(-18, -320, 36, 40, '#cf9c76'),
            createEllipseSvg(0, -358, 56, 62, '#dba983'),
            createFilledPathSvg('M-62 -362Q-66 -430 0 -432T62 -362Q40 -392 0 -392T-62 -362Z', '#f6efe0'),
            createRectSvg(-62, -386, 124, 22, '#c1452f', 1, 10),
            createEllipseSvg(-20, -350, 5, 6, '#2b2622'),
            createEllipseSvg(20, -350, 5, 6, '#2b2622'),
            createStrokedPathSvg('M-16 -326q16 13 32 0', '#8a3a2a', 5),
            [-36, 36].map((x) => createEllipseSvg(x, -336, 10, 7, '#d9776a', 0.4)),
          ],
          0.74,
        ),
        createRectSvg(290, 690, 1020, 140, '#8f6540'),
        createRectSvg(280, 676, 1040, 26, '#b98650'),
        createRectSvg(290, 702, 1020, 24, '#2b1a12', 0.22),
        crate(330, 620, '#fbf6e8', (x, y) => [
          createEllipseSvg(x, y, 20, 18, '#e5862f'),
          createFilledPathSvg(`M${x - 9} ${y - 15}h18l-9 8Z`, '#5f7340'),
        ]),
        crate(560, 620, '#f2d58a', (x, y) => [
          createStrokedPathSvg(`M${x} ${y}l8 -34`, '#6e9a54', 14),
          createEllipseSvg(x - 2, y + 4, 12, 20, '#f7f2e6'),
        ]),
        crate(850, 620, '#fbf6e8', (x, y) => [
          createEllipseSvg(x, y, 21, 17, '#3f6b4a'),
          createStrokedPathSvg(`M${x - 13} ${y}q13 -17 26 0M${x} ${y - 16}v30`, '#2f5239', 3),
        ]),
        crate(1080, 620, '#f3c9b8', (x, y) => [
          createEllipseSvg(x, y, 17, 20, '#7a4a6e'),
          createFilledPathSvg(`M${x - 10} ${y - 18}h20l-10 9Z`, '#5f7340'),
        ]),
        // The next SVG shapes draw the awning of the stall.
        createRepeatedSvg(12, (i) =>
          createFilledPathSvg(
            `M${330 + i * 78} 130h78l${(i - 5) * 4 + 14} 150q-46 46 -92 0l${(i - 5) * -4 + 14} -150Z`.replace(
              /M(\d+) 130h78.*/,
              () => {
                const [a, b] = [340 + i * 76, 340 + (i + 1) * 76]
                const [c, d] = [236 + i * 94, 236 + (i + 1) * 94]
                return `M${a} 130H${b}L${d} 290Q${(c + d) / 2} 344 ${c} 290Z`
              },
            ),
            i % 2 ? '#f6efe0' : '#c1553a',
          ),
        ),
        createFilledPathSvg('M340 130H1252L1364 290H236Z', '#2b1a12', 0.06),
        createRectSvg(330, 116, 932, 24, '#6b4a30', 1, 10),
        // The next SVG shapes draw what is in front of the stall: pumpkins, two customers with a bag, and a
        // bucket of flowers.
        createRepeatedSvg(3, (i) =>
          place(
            390 + i * 130,
            872 - (i % 2) * 8,
            [
              createEllipseSvg(6, 0, 70, 10, '#2b1a12', 0.25),
              createEllipseSvg(0, -40, 68, 46, '#cf7c33'),
              createEllipseSvg(-30, -40, 26, 46, '#dd9148'),
              createEllipseSvg(26, -40, 24, 46, '#b9682a'),
              createStrokedPathSvg('M0 -84q4 -20 18 -22', '#5f7340', 11),
            ],
            0.9 + i * 0.08,
          ),
        ),
        personFromBehind(1040, 890, 370, '#b8543c', '#2b2622', '#3a3f4c'),
        personFromBehind(1150, 888, 240, '#d9a441', '#3a2a22', '#4f6a7a'),
        place(
          1100,
          770,
          [
            createFilledPathSvg('M-52 0H52L44 96H-44Z', '#cdb489'),
            createStrokedPathSvg('M-36 2Q0 -70 36 2', '#8f7a52', 9),
            createStrokedPathSvg('M-14 0l-12 -60M6 0l4 -74M22 0l14 -56', '#6e9a54', 13),
          ],
          0.8,
        ),
        place(1400, 880, [
          createEllipseSvg(0, 0, 100, 11, '#2b1a12', 0.25),
          createFilledPathSvg('M-80 -120L-60 0H60L80 -120Z', '#7d8a8f'),
          createRepeatedSvg(8, (i) => {
            const x = -64 + i * 18
            return [
              createStrokedPathSvg(`M${x * 0.5} -110L${x} -200`, '#5f8a56', 6),
              createEllipseSvg(x, -206, 20, 18, ['#e8a24a', '#c1553a', '#f2d9e0', '#8a5a9a'][i % 4]!),
              createEllipseSvg(x, -206, 7, 7, '#f2d58a'),
            ]
          }),
        ]),
      ]
    },
  },
} satisfies Record<string, DemoSceneDefinition>
