import { drawFigure, drawHouse } from '../scene-objects.ts'
import {
  applyClipPath,
  applyTransform,
  type DemoScene,
  drawCloud,
  drawFoliage,
  drawGrassBlades,
  drawHills,
  drawMountain,
  drawSky,
  drawTree,
  evergreenShades,
  line,
  oval,
  placeSvg,
  rect,
  repeatSvg,
  repeatSvgWithNumbers,
  ring,
  type SvgMarkup,
  type SvgPoint,
  shape,
} from '../svg.ts'

export const countryScenes = {
  field: {
    width: 1800,
    height: 600,
    alt: { en: 'Rice fields under the mountain', ja: '山のふもとの田んぼ' },
    draw: (r, { sky: air, far, grass, leaf, season, cloud: white }) => {
      const rice = {
        autumn: ['#d9b45a', '#c69c45', '#e6c877'],
        summer: ['#6fa05a', '#87b56c', '#a5c884'],
        winter: ['#e9eef0', '#d6dfe3', '#f5f8f8'],
        spring: ['#9cc3c9', '#b4d3d3', '#8bb5bf'],
      }[season]
      const spot = (at: number, y: number) => 900 + (at - 900) * ((y - 250) / 200)
      return [
        drawSky(1800, 400, air),
        drawCloud(260, 110, 230, white),
        drawCloud(1330, 80, 280, white),
        drawCloud(1560, 170, 160, white, 0.6),
        drawMountain(r, 960, 66, 350, 620, [far[0], far[1], '#fbfaf4']),
        drawHills(r, 1800, 300, 30, 420, far[0], 6),
        drawHills(r, 1800, 338, 20, 420, evergreenShades[1], 9),
        repeatSvg(30, () =>
          drawFoliage(
            r,
            r(0, 1800),
            r(350, 366),
            r(22, 40),
            r(14, 24),
            r() < 0.4 ? leaf : evergreenShades,
            7,
          ),
        ),
        drawHills(r, 1800, 368, 6, 420, grass[0], 6),
        repeatSvgWithNumbers('330 388 130, 500 384 90, 1290 390 150, 1480 384 96', (x, y, w, i) =>
          drawHouse(x, y, w, i % 2 ? '#5d6a72' : '#7a5a45'),
        ),
        rect(0, 376, 1800, 230, grass[1]),
        // paddies: four rows, wider as they come near
        repeatSvgWithNumbers('380 410, 416 452, 459 512, 521 620', (top, low, row) =>
          repeatSvg(8, (i) => {
            const [a, b] = [-700 + i * 420 + row * 70, -700 + i * 420 + 400 + row * 70]
            const d = `M${spot(a, top)} ${top}H${spot(b, top)}L${spot(b, low)} ${low}H${spot(a, low)}Z`
            return [
              shape(d, rice[(i + row) % 3]!),
              applyClipPath(`p${row}-${i}`, d, [
                season === 'spring'
                  ? shape(
                      `M${spot(a, low)} ${low}L${spot(a + 200, top)} ${top}H${spot(b, top)}Z`,
                      '#eaf2ec',
                      0.4,
                    )
                  : '',
                repeatSvg(7, (n) =>
                  rect(
                    0,
                    top + ((low - top) * (n + 0.6)) / 7,
                    1800,
                    1 + row * 0.9,
                    season === 'winter' ? '#b9a77e' : rice[(i + row + 1) % 3]!,
                    0.65,
                  ),
                ),
              ]),
            ]
          }),
        ),
        // sheaves hung to dry, a road, and someone on the way home
        season === 'autumn' || season === 'winter'
          ? [220, 1220].map((x, i) =>
              placeSvg(
                x,
                500 + i * 16,
                [
                  line('M-130 0L-118 -74M-106 0L-118 -74M118 0L130 -74M142 0L130 -74', '#6b4a30', 7),
                  line('M-134 -66H146', '#6b4a30', 8),
                  repeatSvg(17, (n) =>
                    shape(
                      `M${-126 + n * 16} -66q8 -8 16 0l3 50q-11 12 -22 0Z`,
                      n % 2 ? '#c4974a' : '#dab365',
                    ),
                  ),
                ],
                1 + i * 0.2,
              ),
            )
          : '',
        drawGrassBlades(
          r,
          150,
          0,
          560,
          1800,
          60,
          46,
          season === 'winter' ? ['#b59f70', '#cdbb8e'] : [rice[0]!, rice[2]!, grass[0]],
        ),
        shape('M1010 376Q1000 430 900 480T760 620H940Q990 540 1040 480T1024 376Z', '#e3d4b0'),
        line('M1017 380Q1010 440 960 490T870 600', '#cdb98c', 4),
        placeSvg(
          892,
          560,
          [
            ring(-24, -20, 21, 21, '#38342f', 5),
            ring(36, -20, 21, 21, '#38342f', 5),
            line('M-24 -20L0 -54L24 -54L36 -20M0 -54L6 -20L-24 -20', '#b8452f', 5),
            line('M24 -54l-4 -14h12', '#38342f', 4),
            shape('M-14 -62Q-18 -112 4 -114Q22 -110 16 -62Z', '#3e5d86'),
            line('M8 -100L26 -72', '#3e5d86', 9),
            oval(6, -126, 12, 13, '#dba983'),
            shape('M-20 -126Q4 -152 30 -126Z', '#e3c178'),
          ],
          0.9,
        ),
        repeatSvg(5, (i) => line(`M${560 + i * 46} ${150 - i * 9}q9 -11 16 0q8 -11 17 0`, '#5a5652', 3)),
      ]
    },
  },

  kites: {
    width: 1600,
    height: 1067,
    alt: { en: 'Kites over the river bank', ja: '土手の上をあがる凧' },
    draw: (r, { sky: air, far, grass, leaf, cloud: white }) => {
      const face = (kind: number): SvgMarkup =>
        [
          [
            rect(-70, -90, 140, 180, '#f4ead2'),
            shape('M-56 -8Q-20 -56 34 -12L58 -40L52 4L58 40L34 14Q-20 56 -56 -8Z', '#c1452f'),
            oval(-28, -12, 7, 7, '#f4ead2'),
            line('M-4 -24Q8 0 -4 22M14 -20Q24 2 14 18', '#f4ead2', 5),
            rect(-70, -90, 140, 16, '#2f4a6d'),
            rect(-70, 74, 140, 16, '#2f4a6d'),
          ],
          [
            shape('M0 -100L76 -10L0 110L-76 -10Z', '#d9a441'),
            shape('M0 -100L76 -10L0 -10Z', '#c1452f'),
            shape('M0 110L-76 -10H0Z', '#c1452f'),
          ],
          [
            shape('M-56 -96H56L86 0L56 96H-56L-86 0Z', '#f4ead2'),
            shape('M-56 96L-70 48Q0 0 70 48L56 96Z', '#2f5d4e'),
            shape('M-70 -46Q0 -90 70 -46L56 -96H-56Z', '#5d86a8'),
            oval(-26, -18, 10, 14, '#2b2622'),
            oval(26, -18, 10, 14, '#2b2622'),
          ],
          [
            shape('M0 -100L76 -10L0 110L-76 -10Z', '#5d86a8'),
            shape('M0 -100L-76 -10H76Z', '#f4ead2'),
            oval(0, 10, 26, 26, '#d9662f'),
          ],
        ][kind]!
      const kinds = r.some([0, 1, 2, 3], 4)
      const kite = (
        x: number,
        y: number,
        size: number,
        turn: number,
        kind: number,
        hand: SvgPoint,
      ): SvgMarkup => [
        line(
          `M${x} ${y}Q${(x + hand[0]) / 2 + 50} ${(y + hand[1]) / 2 + 120} ${hand[0]} ${hand[1]}`,
          '#fffaf0',
          2.5,
          0.85,
        ),
        placeSvg(
          x,
          y,
          [
            [-1, 1].map((side) =>
              line(
                `M${side * 26} 80C${side * 70} 160 ${side * -20} 220 ${side * 40} 320S${side * 10} 420 ${side * 50} 470`,
                side > 0 ? '#d9662f' : '#f4ead2',
                11,
              ),
            ),
            face(kind),
            line('M-2 -90V92', '#6b4a30', 4, 0.45),
          ],
          size,
          turn,
        ),
      ]
      return [
        drawSky(1600, 900, air),
        drawCloud(120, 200, 320, white),
        drawCloud(1080, 130, 380, white),
        drawCloud(640, 430, 240, white, 0.65),
        drawCloud(1320, 440, 220, white, 0.6),
        drawHills(r, 1600, 720, 44, 900, far[2], 4),
        drawHills(r, 1600, 762, 26, 900, far[1], 6),
        repeatSvg(14, () =>
          drawHouse(r(-40, 1560), r(800, 812), r(70, 110), r.pick(['#6b7780', '#7d6754', '#5d6a72'])),
        ),
        rect(0, 806, 1600, 60, '#a9c6cc'),
        repeatSvg(24, () => rect(r(0, 1600), r(812, 856), r(40, 120), 4, '#eef5f2', 0.6, 2)),
        shape('M-20 1067V870Q300 800 700 850T1620 830V1067Z', grass[1]),
        shape('M-20 1067V930Q400 850 900 910T1620 900V1067Z', grass[2]),
        shape('M-20 1067V1010Q500 940 1000 980T1620 990V1067Z', grass[1]),
        drawTree(r, 1470, 880, 330, leaf),
        drawTree(r, 1330, 880, 220, evergreenShades),
        kite(r(330, 470), r(190, 270), 1.15, r(-20, -8), kinds[0]!, [536, 850]),
        kite(r(800, 920), r(270, 390), 1, r(6, 18), kinds[1]!, [748, 868]),
        kite(r(1120, 1240), r(180, 290), 1.1, r(2, 14), kinds[2]!, [996, 838]),
        kite(r(620, 740), r(130, 180), 0.6, r(-12, 4), kinds[3]!, [1110, 880]),
        drawFigure(500, 960, 180, '#b8543c', '#2b2622'),
        line('M522 862L538 846', '#b8543c', 13),
        drawFigure(722, 966, 140, '#d9a441', '#3a2a22'),
        line('M738 884L750 868', '#d9a441', 11),
        drawFigure(1030, 950, 200, '#3e5d86', '#6d6a66'),
        drawFigure(1110, 956, 120, '#f1e6cf', '#2b2622', '#7d4a3c'),
        line('M1010 860L994 836', '#3e5d86', 14),
        placeSvg(880, 1000, [
          oval(0, 4, 62, 9, '#2b2622', 0.2),
          oval(0, -28, 42, 22, '#e8dcc4'),
          oval(44, -46, 20, 17, '#e8dcc4'),
          shape('M34 -62Q22 -60 24 -34Q38 -30 42 -58Z', '#b98f5e'),
          oval(64, -42, 4, 4, '#2b2622'),
          line('M-28 -12V2M-14 -10V2M18 -10V2M30 -12V2', '#e8dcc4', 9),
          line('M-40 -34Q-62 -50 -54 -68Q-44 -70 -44 -58', '#e8dcc4', 10),
          oval(52, -50, 3, 3, '#2b2622'),
        ]),
        drawGrassBlades(r, 170, 0, 1000, 1600, 80, 44, [grass[0], grass[2], leaf[2]]),
      ]
    },
  },

  train: {
    width: 1600,
    height: 1067,
    alt: { en: 'The view from the window of the little local train', ja: '小さなローカル線の車窓' },
    draw: (r, { sky: air, far, leaf, grass, cloud: white, hour, season }) => [
      rect(0, 0, 1600, 1067, '#d9cfb8'),
      rect(0, 0, 1600, 120, '#efe7d4'),
      rect(0, 112, 1600, 10, '#b9ad92'),
      // two windows; the land goes on behind the post between them
      applyClipPath(
        'pane',
        'M120 190q0 -30 30 -30H770q30 0 30 30V690q0 30 -30 30H150q-30 0 -30 -30ZM850 190q0 -30 30 -30H1500q30 0 30 30V690q0 30 -30 30H880q-30 0 -30 -30Z',
        [
          drawSky(1600, 520, air),
          drawCloud(240, 230, 220, white),
          drawCloud(1120, 210, 260, white),
          drawMountain(r, 560, 260, 470, 420, [far[0], far[1], '#fbfaf4']),
          drawHills(r, 1600, 450, 26, 720, far[1], 6),
          rect(0, 486, 1600, 60, hour === 'gold' ? '#e8c9a0' : '#8fbcc4'),
          repeatSvg(30, () => rect(r(0, 1600), r(492, 540), r(30, 90), 4, '#fff', 0.5, 2)),
          placeSvg(1280, 500, [
            shape('M-46 0H46L34 20H-34Z', '#f7f3e8'),
            shape('M0 -4V-70L40 -8Z', '#f7f3e8'),
            shape('M-6 -4V-60L-34 -8Z', '#c1452f'),
          ]),
          drawHills(r, 1600, 540, 10, 720, grass[0], 7),
          rect(0, 556, 1600, 180, grass[1]),
          repeatSvg(9, (i) =>
            shape(
              `M${i * 220 - 160} 720L${i * 180 + 20} 566H${i * 180 + 170}L${i * 220 + 30} 720Z`,
              season === 'autumn' ? ['#d9b45a', '#c69c45'][i % 2]! : grass[2],
              0.85,
            ),
          ),
          [300, 1000].map((x) => [
            rect(x, 536, 76, 36, '#efe5d0'),
            shape(`M${x - 12} 540L${x + 12} 508H${x + 64}L${x + 88} 540Z`, '#5d6a72'),
          ]),
          repeatSvg(5, (i) => drawFoliage(r, 160 + i * 330 + r(-60, 60), 590, r(40, 60), r(34, 50), leaf, 9)),
          repeatSvg(5, (i) => [
            rect(i * 420 + 60, 300, 10, 440, '#5c4a3a'),
            rect(i * 420 + 30, 320, 70, 8, '#5c4a3a'),
          ]),
          line('M0 330Q230 390 480 330T900 330T1320 330T1740 330', '#5c4a3a', 3),
          shape('M120 160H420L120 600Z', '#ffffff', 0.14),
          shape('M850 160H1100L850 520Z', '#ffffff', 0.14),
        ],
      ),
      [
        'M150 160H770q30 0 30 30V690q0 30 -30 30H150q-30 0 -30 -30V190q0 -30 30 -30Z',
        'M880 160H1500q30 0 30 30V690q0 30 -30 30H880q-30 0 -30 -30V190q0 -30 30 -30Z',
      ].map((d) => [line(d, '#8d8a80', 24), line(d, '#b9b6ab', 10)]),
      [120, 850].map((x) => rect(x, 300, 680, 12, '#8d8a80')),
      // rack, straps
      rect(0, 60, 1600, 16, '#8d8a80'),
      repeatSvg(6, (i) => {
        const x = 190 + i * 250
        const swing = r(4, 10)
        return applyTransform(`rotate(${swing} ${x} 70)`, [
          line(`M${x} 70V160`, '#b98650', 13),
          ring(x, 196, 34, 34, '#f7f1e2', 13),
        ])
      }),
      rect(60, 740, 1500, 34, '#a3744a'),
      rect(60, 740, 1500, 10, '#c79a63'),
      rect(60, 774, 1500, 16, '#2b1a12', 0.22),
      // seats
      repeatSvgWithNumbers('-140 560, 1180 560', (x, w) => [
        rect(x, 590, w, 520, '#2f5d4e', 1, 60),
        rect(x + 20, 600, w - 40, 150, '#3d7160', 1, 44),
        rect(x + 60, 590, w - 120, 60, '#f1ead9', 1, 20),
        rect(x, 900, w, 200, '#28503f', 1, 50),
        rect(x, 890, w, 60, '#3d7160', 1, 30),
      ]),
      // the sill table: lunch, tea, mandarins
      rect(470, 800, 660, 34, '#8f6540', 1, 12),
      rect(470, 796, 660, 16, '#c79a63', 1, 8),
      rect(780, 830, 40, 240, '#7d5634'),
      placeSvg(700, 796, [
        rect(-150, -70, 300, 70, '#7a3b2b', 1, 8),
        rect(-150, -82, 300, 22, '#934c38', 1, 8),
        repeatSvg(4, (i) => oval(-106 + i * 46, -84, 24, 20, '#f7f3e8')),
        repeatSvg(4, (i) => rect(-118 + i * 46, -84, 24, 22, '#3a4438')),
        oval(92, -84, 22, 15, '#f2c14a'),
        oval(124, -84, 16, 15, '#c1452f'),
        line('M-160 -98L120 -116', '#c79a63', 7),
      ]),
      placeSvg(930, 796, [
        rect(-34, -110, 68, 110, '#e8e0c8', 1, 12),
        rect(-34, -70, 68, 40, '#6e8f52'),
        rect(-26, -136, 52, 34, '#4f7a5a', 1, 8),
      ]),
      repeatSvgWithNumbers('1020 770, 1078 772', (x, y) => [
        oval(x, y, 31, 27, '#e5862f'),
        oval(x - 9, y - 9, 11, 8, '#f4ad5c'),
        oval(x, y - 24, 5, 4, '#5f7340'),
      ]),
      rect(0, 0, 1600, 1067, '#ffb066', hour === 'gold' ? 0.1 : 0),
    ],
  },
} satisfies Record<string, DemoScene>
