import type { SeededRandom } from '../random.ts'
import { drawFigure, drawPlanks, drawTextLines } from '../scene-objects.ts'
import {
  applyClipPath,
  applyTransform,
  type DemoScene,
  defineGradient,
  drawFoliage,
  drawHills,
  drawSky,
  evergreenShades,
  line,
  oval,
  placeSvg,
  rect,
  repeatSvg,
  type SvgMarkup,
  shape,
  woodColours,
} from '../svg.ts'

const casement = (
  r: SeededRandom,
  x: number,
  y: number,
  w: number,
  h: number,
  air: readonly string[],
  view: SvgMarkup,
  bars = 2,
): SvgMarkup => [
  rect(x - 22, y - 22, w + 44, h + 44, '#8a5f3a'),
  applyClipPath(`w${x}`, `M${x} ${y}h${w}v${h}h${-w}Z`, [
    defineGradient('view', ...air),
    rect(x, y, w, h, 'url(#view)'),
    applyTransform(`translate(${x} ${y})`, view),
  ]),
  repeatSvg(bars - 1, (i) => rect(x + ((i + 1) * w) / bars - 7, y, 14, h, '#8a5f3a')),
  rect(x, y + h * r(0.44, 0.46), w, 12, '#8a5f3a'),
  rect(x - 44, y + h + 16, w + 88, 26, '#a3744a'),
  rect(x - 44, y + h + 38, w + 88, 8, '#5c3d22', 0.5),
]

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
        item: (px: number, py: number) => SvgMarkup,
      ): SvgMarkup => [
        rect(x, y - 26, 200, 40, '#6b4a30'),
        repeatSvg(11, (i) => item(x + 22 + (i % 6) * 31 + (i > 5 ? 16 : 0), y - 22 - (i > 5 ? 24 : 0))),
        rect(x - 6, y - 4, 212, 84, '#b98650', 1, 4),
        [24, 50].map((dy) => rect(x - 6, y + dy, 212, 6, '#7d5634', 0.7)),
        rect(x + 62, y + 16, 80, 46, fill, 1, 5),
        drawTextLines(x + 76, y + 32, 50, 2, 14, '#5c4a3a', 5),
      ]
      const home = (x: number, w: number, h: number, wall: string): SvgMarkup => [
        rect(x, 620 - h, w, h, wall),
        shape(
          `M${x - 26} ${640 - h}L${x + 30} ${560 - h}H${x + w - 30}L${x + w + 26} ${640 - h}Z`,
          '#59646a',
        ),
        repeatSvg(3, (i) => [
          rect(x + 30 + (i * (w - 60)) / 3, 690 - h, (w - 100) / 3, 76, '#6b5546'),
          repeatSvg(4, (n) =>
            rect(x + 34 + (i * (w - 60)) / 3 + n * ((w - 100) / 12), 690 - h, 5, 76, '#a3896c'),
          ),
        ]),
        rect(x, 640 - h, w, 20, '#2b2622', 0.2),
      ]
      return [
        drawSky(1600, 610, air),
        home(-40, 360, 470, '#d9cbb0'),
        home(330, 330, 400, '#b9a486'),
        home(1000, 320, 430, '#cdbfa4'),
        home(1330, 340, 500, '#a89476'),
        drawFoliage(r, 790, 360, 210, 150, leaf, 13),
        drawFoliage(r, 960, 440, 120, 90, evergreenShades),
        rect(0, 600, 1600, 300, '#cfc3aa'),
        repeatSvg(7, (row) => line(`M0 ${620 + row * row * 6}H1600`, '#b8ab90', 2 + row * 0.4)),
        drawFigure(120, 760, 330, '#8a5a7a', '#2b2622'),
        drawFigure(1500, 750, 310, '#5f7f5c', '#6d6a66'),
        // the stall
        [300, 1270].map((x) => [rect(x, 200, 26, 640, '#6b4a30'), rect(x, 200, 9, 640, '#8a6240')]),
        rect(320, 330, 960, 300, '#3b2f28', 0.55),
        repeatSvg(6, (i) => [
          line(`M${420 + i * 150} 300V${350}`, '#5c4a3a', 4),
          r.pick([
            repeatSvg(5, (n) => oval(420 + i * 150 + (n % 2 ? 10 : -10), 362 + n * 19, 17, 15, '#e5862f')),
            repeatSvg(6, (n) =>
              line(`M${420 + i * 150} 350q${(n - 2.5) * 13} 40 ${(n - 2.5) * 16} 84`, '#d5a94a', 9),
            ),
            repeatSvg(7, (n) => oval(420 + i * 150 + (n % 2 ? 12 : -12), 358 + n * 14, 13, 13, '#efe3cf')),
          ]),
        ]),
        placeSvg(
          800,
          630,
          [
            rect(-82, -290, 164, 300, '#e8dcc4', 1, 60),
            rect(-64, -250, 128, 260, '#2f5d4e', 1, 14),
            line('M-44 -250L-30 -290M44 -250L30 -290', '#2f5d4e', 12),
            line('M-84 -230Q-130 -150 -90 -80M84 -230Q140 -170 150 -110', '#e8dcc4', 42),
            oval(-88, -74, 22, 20, '#dba983'),
            oval(152, -100, 22, 20, '#dba983'),
            rect(-18, -320, 36, 40, '#cf9c76'),
            oval(0, -358, 56, 62, '#dba983'),
            shape('M-62 -362Q-66 -430 0 -432T62 -362Q40 -392 0 -392T-62 -362Z', '#f6efe0'),
            rect(-62, -386, 124, 22, '#c1452f', 1, 10),
            oval(-20, -350, 5, 6, '#2b2622'),
            oval(20, -350, 5, 6, '#2b2622'),
            line('M-16 -326q16 13 32 0', '#8a3a2a', 5),
            [-36, 36].map((x) => oval(x, -336, 10, 7, '#d9776a', 0.4)),
          ],
          0.74,
        ),
        rect(290, 690, 1020, 140, '#8f6540'),
        rect(280, 676, 1040, 26, '#b98650'),
        rect(290, 702, 1020, 24, '#2b1a12', 0.22),
        crate(330, 620, '#fbf6e8', (x, y) => [
          oval(x, y, 20, 18, '#e5862f'),
          shape(`M${x - 9} ${y - 15}h18l-9 8Z`, '#5f7340'),
        ]),
        crate(560, 620, '#f2d58a', (x, y) => [
          line(`M${x} ${y}l8 -34`, '#6e9a54', 14),
          oval(x - 2, y + 4, 12, 20, '#f7f2e6'),
        ]),
        crate(850, 620, '#fbf6e8', (x, y) => [
          oval(x, y, 21, 17, '#3f6b4a'),
          line(`M${x - 13} ${y}q13 -17 26 0M${x} ${y - 16}v30`, '#2f5239', 3),
        ]),
        crate(1080, 620, '#f3c9b8', (x, y) => [
          oval(x, y, 17, 20, '#7a4a6e'),
          shape(`M${x - 10} ${y - 18}h20l-10 9Z`, '#5f7340'),
        ]),
        // awning
        repeatSvg(12, (i) =>
          shape(
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
        shape('M340 130H1252L1364 290H236Z', '#2b1a12', 0.06),
        rect(330, 116, 932, 24, '#6b4a30', 1, 10),
        // in front
        repeatSvg(3, (i) =>
          placeSvg(
            390 + i * 130,
            872 - (i % 2) * 8,
            [
              oval(6, 0, 70, 10, '#2b1a12', 0.25),
              oval(0, -40, 68, 46, '#cf7c33'),
              oval(-30, -40, 26, 46, '#dd9148'),
              oval(26, -40, 24, 46, '#b9682a'),
              line('M0 -84q4 -20 18 -22', '#5f7340', 11),
            ],
            0.9 + i * 0.08,
          ),
        ),
        drawFigure(1040, 890, 370, '#b8543c', '#2b2622', '#3a3f4c'),
        drawFigure(1150, 888, 240, '#d9a441', '#3a2a22', '#4f6a7a'),
        placeSvg(
          1100,
          770,
          [
            shape('M-52 0H52L44 96H-44Z', '#cdb489'),
            line('M-36 2Q0 -70 36 2', '#8f7a52', 9),
            line('M-14 0l-12 -60M6 0l4 -74M22 0l14 -56', '#6e9a54', 13),
          ],
          0.8,
        ),
        placeSvg(1400, 880, [
          oval(0, 0, 100, 11, '#2b1a12', 0.25),
          shape('M-80 -120L-60 0H60L80 -120Z', '#7d8a8f'),
          repeatSvg(8, (i) => {
            const x = -64 + i * 18
            return [
              line(`M${x * 0.5} -110L${x} -200`, '#5f8a56', 6),
              oval(x, -206, 20, 18, ['#e8a24a', '#c1553a', '#f2d9e0', '#8a5a9a'][i % 4]!),
              oval(x, -206, 7, 7, '#f2d58a'),
            ]
          }),
        ]),
      ]
    },
  },

  bread: {
    width: 1400,
    height: 1400,
    alt: { en: 'A fresh loaf on a board, two slices cut', ja: '板の上の焼きたてのパン。二枚だけ切ってある' },
    draw: (r, { sky: air, leaf, far }) => {
      const crust =
        'M-400 90C-420 -60 -300 -210 -60 -230C190 -240 390 -120 400 60C404 130 330 158 240 162H-280C-360 158 -394 140 -400 90Z'
      const slice = (x: number, y: number, turn: number): SvgMarkup =>
        placeSvg(
          x,
          y,
          [
            shape('M-150 130C-190 20 -150 -120 0 -126C150 -120 190 20 150 130Q0 156 -150 130Z', '#b06a2c'),
            shape('M-128 116C-162 20 -128 -100 0 -104C128 -100 162 20 128 116Q0 138 -128 116Z', '#f6e3ba'),
            repeatSvg(34, () => {
              const [a, out] = [r(0, 6.3), Math.sqrt(r())]
              return oval(Math.cos(a) * out * 116, 10 + Math.sin(a) * out * 92, r(4, 13), r(3, 8), '#e3c48b')
            }),
          ],
          1,
          turn,
        )
      return [
        rect(0, 0, 1400, 1400, '#9fb3ae'),
        repeatSvg(10, (row) =>
          repeatSvg(9, (i) =>
            rect(
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
          drawHills(r, 520, 380, 30, 600, far[1], 3),
          drawFoliage(r, 130, 330, 140, 120, leaf),
          drawFoliage(r, 420, 390, 130, 90, evergreenShades),
          rect(0, 470, 520, 120, '#8fa562'),
        ]),
        // a shelf with jars
        rect(800, 360, 640, 28, '#a3744a'),
        rect(800, 388, 640, 26, '#3b2413', 0.18),
        [
          [860, '#c1553a'],
          [1000, '#d9a441'],
          [1140, '#8a5a7a'],
          [1280, '#6e8048'],
        ].map(([x, jam]) => [
          rect(x as number, 226, 104, 134, '#eef3ee', 0.55, 18),
          rect((x as number) + 8, 256, 88, 98, jam as string, 0.9, 14),
          rect((x as number) + 2, 208, 100, 26, '#f1e6cf', 1, 8),
          rect((x as number) + 24, 282, 56, 40, '#f6efe0', 1, 4),
        ]),
        drawPlanks(r, 0, 780, 1400, 620, 5, woodColours),
        rect(0, 780, 1400, 20, '#3b2413', 0.25),
        shape('M0 1400L460 790H900L620 1400Z', '#fff1cc', 0.25),
        // cloth
        shape('M-40 1090Q220 1040 520 1080L640 1320Q300 1370 -40 1330Z', '#e9e2d0'),
        applyClipPath('cloth', 'M-40 1090Q220 1040 520 1080L640 1320Q300 1370 -40 1330Z', [
          [80, 180, 280, 380, 480].map((x) => line(`M${x} 1000L${x + 60} 1400`, '#3e5d86', 18, 0.75)),
          [1130, 1230].map((y) => line(`M-40 ${y}Q300 ${y - 40} 700 ${y}`, '#3e5d86', 12, 0.45)),
        ]),
        // board, loaf, slices
        oval(740, 1170, 560, 60, '#3b2413', 0.3),
        rect(190, 1080, 1080, 66, '#8a5a33', 1, 26),
        rect(190, 1066, 1080, 52, '#b07a48', 1, 26),
        rect(1220, 1074, 150, 40, '#b07a48', 1, 20),
        oval(640, 1074, 420, 26, '#3b2413', 0.35),
        placeSvg(610, 906, [
          shape(crust, '#a75f26'),
          applyClipPath('crust', crust, [
            shape(
              'M-400 60C-400 -80 -290 -220 -60 -230C190 -240 380 -120 390 20Q200 130 -100 120T-400 60Z',
              '#c57e38',
            ),
            oval(-90, -140, 300, 110, '#d99a52'),
            [-250, -110, 30, 170].map((x) => [
              shape(
                `M${x - 30} 60Q${x - 6} -120 ${x + 110} -220Q${x + 130} -210 ${x + 126} -196Q${x + 50} -90 ${x + 4} 60Z`,
                '#f3dcae',
              ),
              line(`M${x - 30} 60Q${x - 6} -120 ${x + 110} -220`, '#8a4a1c', 7),
            ]),
            repeatSvg(150, () =>
              oval(r(-380, 380), r(-230, 60), r(1.5, 5), r(1.5, 4), '#fff6e2', r(0.4, 0.95)),
            ),
            rect(-420, 110, 860, 80, '#5c2f10', 0.25),
          ]),
        ]),
        slice(1080, 950, 12),
        slice(1010, 978, -5),
        repeatSvg(24, () => oval(r(820, 1240), r(1074, 1104), r(3, 8), r(2, 5), '#c57e38')),
        // butter and knife
        oval(1060, 1290, 190, 34, '#3b2413', 0.28),
        oval(1050, 1276, 184, 34, '#e8e2d2'),
        oval(1050, 1268, 160, 25, '#d6d0bf'),
        shape('M950 1220L1090 1204L1150 1226V1264L1010 1284L950 1262Z', '#f2d377'),
        shape('M950 1220L1090 1204L1150 1226L1010 1246Z', '#f9e4a0'),
        line('M700 1300L890 1262', '#c9ccc8', 22),
        line('M560 1328L700 1300', '#5c3d27', 26),
      ]
    },
  },
} satisfies Record<string, DemoScene>
