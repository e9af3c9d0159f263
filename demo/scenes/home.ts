import { drawMug, drawPlanks, drawSteam, drawWoolBall } from '../scene-objects.ts'
import {
  applyBlurFilter,
  applyClipPath,
  applyTransform,
  type DemoScene,
  defineGradient,
  drawConifer,
  drawFoliage,
  drawHills,
  drawTree,
  evergreenShades,
  line,
  oval,
  placeSvg,
  rect,
  repeatSvg,
  repeatSvgWithNumbers,
  ring,
  shape,
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
        rect(0, 0, 1400, 1400, '#ded7c6'),
        // window
        rect(150, 70, 1100, 520, '#8a5f3a'),
        applyClipPath('view', 'M180 100H1220V560H180Z', [
          defineGradient('air', ...air),
          rect(180, 100, 1040, 460, 'url(#air)'),
          drawHills(r, 1400, 330, 40, 600, far[2], 4),
          drawHills(r, 1400, 390, 30, 600, far[1], 5),
          repeatSvg(6, (i) =>
            season === 'winter'
              ? drawConifer(230 + i * 190 + r(-40, 40), 500, r(170, 260), ['#4f6a6c', '#718b8a', ''])
              : drawFoliage(
                  r,
                  230 + i * 190 + r(-40, 40),
                  440,
                  r(80, 120),
                  r(70, 100),
                  r() < 0.6 ? leaf : evergreenShades,
                ),
          ),
          rect(180, 490, 1040, 80, grass[1]),
          season === 'winter'
            ? repeatSvg(70, () => oval(r(180, 1220), r(100, 560), r(2, 6), r(2, 6), '#fff'))
            : '',
        ]),
        [520, 868].map((x) => rect(x, 90, 14, 480, '#8a5f3a')),
        rect(110, 584, 1180, 34, '#a3744a'),
        rect(110, 616, 1180, 12, '#5c3d22', 0.5),
        repeatSvgWithNumbers('150 0, 1250 1', (x, flip) =>
          applyTransform(`translate(${x} 0) scale(${flip ? -1 : 1} 1)`, [
            shape('M-90 30H150Q100 300 40 470Q60 620 20 720H-90Z', '#f1ead9'),
            [0, 50, 96].map((fold) =>
              line(`M${fold - 40} 40Q${fold - 50} 340 ${fold * 0.4 - 40} 700`, '#cfc5ad', 6),
            ),
          ]),
        ),
        rect(-10, 20, 1420, 22, '#6b4a30'),
        drawMug(1050, 586, 100, '#5f8f8c'),
        drawSteam(1050, 480, 120, 0.8),
        // bench and cushion
        drawPlanks(r, 0, 850, 1400, 550, 4, woodColours),
        rect(0, 850, 1400, 22, '#3b2413', 0.22),
        shape('M120 1400L330 870H820L700 1400Z', '#fff1cc', 0.25),
        // basket
        oval(330, 1260, 290, 44, '#3b2413', 0.32),
        line('M110 930Q330 560 560 930', '#7d5634', 26),
        line('M420 960L610 600', '#a3744a', 17),
        oval(613, 594, 20, 20, '#b8452f'),
        drawWoolBall(r, 250, 930, 116, a),
        drawWoolBall(r, 420, 900, 128, b),
        drawWoolBall(r, 330, 990, 100, c),
        applyClipPath('basket', 'M80 950H580L530 1240Q330 1290 130 1240Z', [
          rect(60, 930, 560, 360, '#b98650'),
          repeatSvg(8, (row) =>
            repeatSvg(15, (i) =>
              rect(64 + i * 38 + (row % 2) * 19, 960 + row * 40, 33, 33, i % 2 ? '#a3744a' : '#cda26d', 1, 9),
            ),
          ),
          rect(440, 930, 180, 360, '#3b2413', 0.15),
        ]),
        rect(66, 934, 528, 36, '#8f6540', 1, 18),
        // the scarf: rows of stitches
        oval(900, 1340, 320, 34, '#3b2413', 0.28),
        shape(cloth, a),
        applyClipPath('scarf', cloth, [
          repeatSvg(23, (row) => {
            const colour = [a, a, a, b, b, c, b, b][row % 8]!
            return [
              rect(560, 830 + row * 23, 640, 24, colour),
              repeatSvg(22, (i) => [
                line(`M${590 + i * 26 + Math.sin(row / 3) * 16} ${832 + row * 23}l12 17`, '#fffaf0', 7, 0.3),
                line(
                  `M${615 + i * 26 + Math.sin(row / 3) * 16} ${832 + row * 23}l-12 17`,
                  '#2b1a12',
                  7,
                  0.13,
                ),
              ]),
            ]
          }),
          shape('M1040 800Q1050 1000 1010 1080T1040 1340H1160V800Z', '#2b1a12', 0.15),
        ]),
        repeatSvg(17, (i) =>
          line(`M${668 + i * 27} 1326q${r(-10, 10)} 24 ${r(-8, 8)} 46`, [a, b][i % 2]!, 9),
        ),
        line('M560 790L1190 850', '#5c3d27', 21),
        line('M560 784L1190 844', '#a3744a', 9),
        oval(1196, 850, 22, 22, '#b8452f'),
        repeatSvg(17, (i) => line(`M${650 + i * 27.5} ${792 + i * 2.7}q13 22 0 44`, i % 2 ? a : c, 13)),
        line('M640 830C560 760 520 830 530 900', a, 8),
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
        rect(0, 0, 1200, 1600, '#cfc6b3'),
        rect(120, -20, 960, 1000, '#7d5634'),
        applyClipPath('pane', 'M156 -20H1044V940H156Z', [
          defineGradient('air', '#8fa3a8', '#b9c6c3', '#dadfd3'),
          rect(150, -20, 900, 970, 'url(#air)'),
          drawHills(r, 1200, 520, 50, 1000, '#a3b4b1', 3),
          applyBlurFilter(
            [
              drawTree(r, 330, 900, 620, leaf),
              drawTree(r, 860, 930, 760, leaf),
              drawFoliage(r, 600, 820, 220, 120, evergreenShades),
            ],
            7,
          ),
          rect(150, 800, 900, 160, '#7f9a78', 0.8),
          season === 'winter'
            ? repeatSvg(90, () => oval(r(156, 1044), r(0, 940), r(2, 7), r(2, 7), '#fff', 0.9))
            : repeatSvg(60, () => line(`M${r(156, 1044)} ${r(-20, 900)}v${r(20, 70)}`, '#ffffff', 2.5, 0.35)),
          repeatSvg(46, () => {
            const [x, top] = [r(160, 1040), r(0, 900)]
            return [
              oval(x, top, 6, 9, '#eef4f2', 0.75),
              r() < 0.4 ? line(`M${x} ${top}q4 -40 0 ${-r(50, 150)}`, '#eef4f2', 3, 0.4) : '',
            ]
          }),
          shape('M156 -20H520L156 600Z', '#ffffff', 0.12),
        ]),
        rect(590, -20, 20, 980, '#7d5634'),
        rect(150, 430, 900, 18, '#7d5634'),
        rect(70, 950, 1060, 50, '#8f6540'),
        rect(70, 996, 1060, 14, '#3b2413', 0.35),
        // a plant on the sill
        placeSvg(240, 952, [
          shape('M-70 -110L-54 0H54L70 -110Z', '#f1e6cf'),
          rect(-76, -126, 152, 26, '#e0d3b6', 1, 6),
          shape('M10 -100H68L54 0H10Z', '#2b1a12', 0.1),
          [-70, -40, -8, 26, 60].map((lean, i) =>
            placeSvg(
              0,
              -120,
              shape(`M0 0Q34 ${-110 - i * 12} 6 -230Q-36 -120 0 0Z`, i % 2 ? '#4a7350' : '#6e9a64'),
              1,
              lean,
            ),
          ),
        ]),
        // the table and the stack
        rect(0, 1280, 1200, 320, '#b98650'),
        rect(0, 1280, 1200, 16, '#d3a873'),
        drawPlanks(r, 0, 1296, 1200, 304, 3, woodColours),
        oval(620, 1372, 430, 34, '#3b2413', 0.3),
        stack.map(({ colour, w, h, x, y }, i) => {
          return [
            rect(x - w / 2, y, w, h, colour, 1, 7),
            i % 3 === 1
              ? [
                  rect(x + w / 2 - 40, y + 8, 40, h - 16, '#f4ecd8'),
                  repeatSvg(4, (n) => rect(x + w / 2 - 40, y + 13 + n * ((h - 22) / 4), 40, 2, '#d3c6a6')),
                ]
              : [
                  rect(x - w / 2 + 34, y, 12, h, '#fffaf0', 0.55),
                  rect(x - w / 2 + 60, y, 5, h, '#fffaf0', 0.45),
                  rect(x + w * 0.1, y + h * 0.34, w * 0.2, h * 0.3, '#fffaf0', 0.4),
                ],
            rect(x - w / 2, y + h - 9, w, 9, '#2b1a12', 0.16),
            i === 5 ? shape(`M${x + w * 0.3} ${y + h}v70l14 -14l14 14v-70Z`, '#c1452f') : '',
          ]
        }),
        applyTransform(`translate(560 ${top})`, [
          line('M-50 -26h14M-118 -34Q-140 -44 -160 -20M32 -34Q60 -44 84 -20', '#2b2622', 8),
          oval(-84, -34, 36, 36, '#ffffff', 0.35),
          ring(-84, -34, 36, 36, '#2b2622', 8),
          oval(-2, -34, 36, 36, '#ffffff', 0.35),
          ring(-2, -34, 36, 36, '#2b2622', 8),
        ]),
        drawMug(790, top, 110, '#f1e6cf'),
        drawSteam(790, top - 116, 130, 0.8),
        // an open book, and an orange
        placeSvg(250, 1500, [
          oval(10, 34, 240, 26, '#3b2413', 0.28),
          shape(
            'M0 20Q-110 -20 -220 20L-200 -50Q-100 -90 0 -50Q100 -90 200 -50L220 20Q110 -20 0 20Z',
            '#f6efdd',
          ),
          shape('M0 20Q110 -20 220 20L200 -50Q100 -90 0 -50Z', '#e8ddc2'),
          repeatSvg(4, (i) =>
            line(
              `M${-172 + i * 3} ${-34 + i * 14}Q-90 ${-64 + i * 14} -24 ${-38 + i * 14}M28 ${-38 + i * 14}Q96 ${-64 + i * 14} ${176 - i * 3} ${-34 + i * 14}`,
              '#a89d86',
              4,
            ),
          ),
        ]),
        repeatSvgWithNumbers('900 1490 64, 1020 1510 58', (x, top, size) => [
          oval(x + 10, top + size * 0.86, size, 12, '#3b2413', 0.28),
          oval(x, top, size, size * 0.9, '#e5862f'),
          oval(x - 16, top - 16, size * 0.4, size * 0.3, '#f4ad5c'),
          shape(`M${x} ${top - size * 0.86}q26 -22 44 -4q-20 18 -44 4Z`, '#5f7f4c'),
        ]),
      ]
    },
  },

  key: {
    width: 1200,
    height: 1600,
    alt: {
      en: 'One key with a wooden tag on a row of five hooks',
      ja: '五つ並んだ鍵かけに、木札のついた鍵がひとつ',
    },
    draw: (r, { leaf, hour }) => [
      rect(0, 0, 1200, 1600, '#dcd5c3'),
      repeatSvg(90, () => oval(r(0, 1200), r(0, 1100), r(4, 60), r(1, 3), '#c6bda6', 0.4)),
      shape('M-20 500L760 -60H1220L-20 1080Z', hour === 'gold' ? '#ffd79a' : '#fff6df', 0.55),
      applyBlurFilter(
        repeatSvgWithNumbers('300 300 60, 420 240 90, 520 180 50, 240 420 70', (x, y, size) =>
          oval(x, y, size, size * 0.6, '#8f9a7c', 0.35),
        ),
        9,
      ),
      drawPlanks(r, 0, 1080, 1200, 540, 8, ['#8f6540', '#87603c', '#966b45'], true),
      rect(0, 1070, 1200, 30, '#6b4a30'),
      rect(0, 1070, 1200, 8, '#a3744a'),
      rect(0, 1100, 1200, 20, '#2b1a12', 0.25),
      placeSvg(0, -150, [
        // the board
        rect(150, 470, 900, 170, '#2b1a12', 0.2, 16),
        rect(140, 450, 900, 166, '#a3744a', 1, 16),
        rect(140, 450, 900, 20, '#c19566', 1, 10),
        repeatSvg(5, () => line(`M${r(170, 400)} ${r(490, 600)}h${r(200, 560)}`, '#8a5f3a', 3, 0.5)),
        repeatSvgWithNumbers('176 480, 1004 480, 176 588, 1004 588', (x, y) => oval(x, y, 8, 8, '#6b4a30')),
        repeatSvg(5, (i) => {
          const x = 262 + i * 164
          return [
            rect(x - 26, 500, 52, 66, '#c9a24a', 1, 12),
            rect(x - 26, 500, 52, 14, '#e3c67c', 1, 7),
            oval(x, 520, 5, 5, '#7d6224'),
            line(`M${x} 540V584Q${x} 616 ${x + 28} 612T${x + 40} 580`, '#b08a36', 14),
            oval(x + 40, 580, 10, 10, '#c9a24a'),
          ]
        }),
        // key, cord and tag on the fourth hook
        applyTransform(
          'translate(30 26)',
          [
            line('M776 610L700 800M776 610L864 790', '#2b1a12', 12),
            rect(810, 780, 130, 250, '#2b1a12', 1, 16),
            rect(690, 850, 30, 240, '#2b1a12'),
          ],
          0.16,
        ),
        line('M782 606Q720 690 700 770M784 606Q830 690 864 790', '#c1452f', 11),
        oval(783, 612, 15, 13, '#a83623'),
        placeSvg(
          700,
          764,
          [
            ring(0, 44, 42, 42, '#8f989b', 22),
            rect(-11, 84, 22, 190, '#8f989b'),
            rect(-11, 84, 8, 190, '#b9c1c3'),
            rect(11, 214, 44, 20, '#8f989b'),
            rect(11, 248, 58, 24, '#8f989b'),
            oval(0, 90, 22, 14, '#7a8386'),
          ],
          1.15,
          r(5, 9),
        ),
        placeSvg(
          868,
          770,
          [
            rect(-62, 0, 124, 250, '#d9b27c', 1, 18),
            rect(-62, 0, 124, 30, '#e8c897', 1, 15),
            rect(34, 4, 28, 246, '#8a5f3a', 0.25, 14),
            oval(0, 34, 13, 13, '#7d5634'),
            line('M-30 90H30M-30 90V140M30 90V140M-40 90L0 62L40 90M-30 140H30M0 140V104', '#7a3b2b', 8),
            line('M-26 186H26M-16 212H16', '#7a3b2b', 7, 0.7),
          ],
          1.1,
          r(-12, -7),
        ),
      ]),
      // a shelf with a sprig, and a folded note
      rect(90, 900, 430, 30, '#8f6540'),
      rect(90, 900, 430, 8, '#b98650'),
      rect(100, 930, 410, 24, '#2b1a12', 0.18),
      line('M210 770Q190 660 250 560M212 720Q150 660 150 600M216 700Q280 640 330 640', '#5c4330', 8),
      repeatSvg(22, () => {
        const [x, y] = r.pick([
          [246, 570],
          [236, 620],
          [152, 610],
          [170, 650],
          [324, 640],
          [280, 654],
        ] as const)
        return placeSvg(
          x + r(-14, 14),
          y + r(-14, 14),
          shape('M0 0Q20 -26 54 -14Q42 18 0 0Z', r.pick(leaf)),
          r(0.8, 1.3),
          r(-180, 40),
        )
      }),
      shape('M160 900Q130 820 176 780Q190 760 184 744H240Q234 760 248 780Q294 820 264 900Z', '#4f7a86'),
      shape('M220 744H240Q234 760 248 780Q294 820 264 900H226Q256 820 220 780Z', '#2b3f47', 0.3),
      shape('M340 900L356 820H470L486 900Z', '#f6efe0'),
      shape('M340 900L356 820H412L406 900Z', '#e6dcc4'),
      line('M430 846H462M428 864H466', '#a89d86', 5),
      // an umbrella stand, half seen
      rect(860, 1290, 220, 320, '#4b5a5e', 1, 20),
      rect(850, 1280, 240, 36, '#5d6e72', 1, 18),
      line('M930 1290V1140q0 -50 40 -44', '#6b4a30', 16),
      line('M1010 1290L1030 1120q6 -50 48 -36', '#2b2622', 15),
      shape('M916 1290L930 1170L946 1290Z', '#c1452f'),
      shape('M996 1290L1026 1150L1030 1290Z', '#3e5d86'),
      rect(1020, 1316, 60, 290, '#2b2622', 0.18),
    ],
  },
} satisfies Record<string, DemoScene>
