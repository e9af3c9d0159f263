import { drawFigure, drawTextLines } from '../scene-objects.ts'
import {
  type DemoScene,
  drawCloud,
  drawFoliage,
  drawGrassBlades,
  drawHills,
  drawSky,
  evergreenShades,
  line,
  oval,
  placeSvg,
  rect,
  repeatSvg,
  repeatSvgWithNumbers,
  ring,
  type SvgMarkup,
  shape,
} from '../svg.ts'

const paper = (
  x: number,
  y: number,
  w: number,
  h: number,
  turn: number,
  fill: string,
  drawing: SvgMarkup,
  pin = '#c1452f',
): SvgMarkup =>
  placeSvg(
    x,
    y,
    [
      rect(-w / 2 + 6, 8, w, h, '#2b1a12', 0.25),
      rect(-w / 2, 0, w, h, fill),
      drawing,
      oval(0, 14, 11, 11, pin),
      oval(-3, 11, 4, 4, '#fff', 0.6),
    ],
    1,
    turn,
  )

const cupOn = (y: number): SvgMarkup => [
  shape(`M-40 ${y - 62}H40L32 ${y}H-32Z`, '#4f7a86'),
  oval(0, y - 62, 40, 9, '#f6efe0'),
  [-16, 4, 24].map((x) => line(`M${x} ${y - 78}q8 -10 0 -20`, '#8a3a2a', 5)),
]

export const hallScenes = {
  noticeboard: {
    width: 1600,
    height: 1067,
    alt: { en: 'The noticeboard outside the community hall', ja: '公民館の前の掲示板' },
    draw: (r, { sky: air, far, leaf, grass, cloud: white }) => [
      drawSky(1600, 700, air),
      drawCloud(120, 110, 260, white),
      drawCloud(1240, 90, 280, white),
      drawHills(r, 1600, 500, 50, 800, far[1], 4),
      repeatSvg(12, (i) =>
        drawFoliage(
          r,
          i * 145 + r(-40, 40),
          640 + r(-30, 30),
          r(110, 160),
          r(110, 150),
          r() < 0.55 ? leaf : evergreenShades,
        ),
      ),
      rect(0, 760, 1600, 310, grass[1]),
      drawHills(r, 1600, 790, 12, 1067, grass[2], 3),
      shape('M520 1067Q620 880 760 830H930Q1080 900 1180 1067Z', '#d9cdb0'),
      [280, 1290].map((x) => [
        oval(x + 20, 982, 60, 12, grass[0]),
        rect(x, 210, 42, 776, '#6b4a30'),
        rect(x, 210, 14, 776, '#8a6240'),
      ]),
      rect(250, 270, 1110, 560, '#5c3d27'),
      rect(274, 294, 1062, 512, '#c9ab7c'),
      repeatSvg(200, () =>
        oval(r(280, 1330), r(300, 800), r(2, 5), r(2, 4), r.pick(['#b39463', '#d8bd92']), 0.8),
      ),
      rect(274, 294, 1062, 30, '#2b1a12', 0.2),
      // lost cat
      paper(420, 340, 200, 260, r(-4, 0), '#fbf6e8', [
        shape('M-62 178V88L-56 40L-26 70H26L56 40L62 88V178Z', '#d98a45'),
        oval(-26, 110, 7, 10, '#2b2622'),
        oval(26, 110, 7, 10, '#2b2622'),
        shape('M-8 128H8L0 138Z', '#8a3a2a'),
        line('M0 138V148M-70 128h36M70 128h-36', '#2b2622', 4),
        drawTextLines(-70, 204, 140, 3, 18, '#8d8576'),
      ]),
      // festival
      paper(
        690,
        330,
        250,
        340,
        r(-1, 3),
        '#33406a',
        [
          rect(-112, 230, 224, 96, '#fbf6e8', 1, 4),
          drawTextLines(-92, 256, 180, 3, 24, '#33406a', 8),
          [-70, 0, 70].map((x, i) => [
            line(`M${x} 24V${70 + (i % 2) * 20}`, '#f6efe0', 3),
            oval(x, 124 + (i % 2) * 20, 32, 42, i % 2 ? '#e2512f' : '#fbd08a'),
            line(`M${x - 28} ${112 + (i % 2) * 20}h56M${x - 31} ${128 + (i % 2) * 20}h62`, '#a8321f', 2.5),
          ]),
        ],
        '#d9a441',
      ),
      // map, umbrella found, timetable, small notes
      paper(
        980,
        350,
        230,
        190,
        r(-3, 4),
        '#eef0df',
        [
          line('M-100 120Q-40 60 20 110T110 60', '#7fb0b8', 22),
          line('M-90 40L80 170M-60 170L40 40', '#cdbb8e', 8),
          rect(-30, 84, 30, 26, '#c1452f'),
          rect(44, 120, 26, 24, '#6e8048'),
        ],
        '#3e5d86',
      ),
      paper(
        1210,
        340,
        170,
        220,
        r(0, 6),
        '#fbf6e8',
        [
          shape(
            'M0 50Q-70 56 -70 130Q-52 112 -35 130Q-18 112 0 130Q18 112 35 130Q52 112 70 130Q70 56 0 50Z',
            '#c1452f',
          ),
          line('M0 50V168q0 16 -18 14', '#5c3d27', 7),
          drawTextLines(-56, 200, 100, 1, 10, '#8d8576'),
        ],
        '#6e8048',
      ),
      paper(400, 640, 240, 140, r(-2, 3), '#f2d58a', drawTextLines(-96, 52, 190, 4, 22, '#8a6a2c')),
      paper(610, 700, 120, 96, r(-8, -2), '#bcd6c4', drawTextLines(-44, 44, 84, 2, 20, '#4f7a5a'), '#d9a441'),
      paper(
        880,
        590,
        200,
        200,
        r(-3, 2),
        '#fbf6e8',
        repeatSvg(4, (row) =>
          repeatSvg(5, (i) =>
            rect(-84 + i * 34, 46 + row * 36, 28, 28, (row * 5 + i) % 7 === 3 ? '#d9662f' : '#e3dac4'),
          ),
        ),
        '#c1452f',
      ),
      paper(
        1110,
        600,
        190,
        180,
        r(-2, 5),
        '#f3c9b8',
        [cupOn(166), drawTextLines(-70, 40, 140, 1, 10, '#8a3a2a', 8)],
        '#3e5d86',
      ),
      paper(1270, 640, 96, 130, r(3, 9), '#cfdcea', drawTextLines(-34, 44, 66, 4, 18, '#48678f', 5)),
      // roof
      shape('M180 240L330 90H1280L1430 240Z', '#4b555b'),
      repeatSvg(17, (i) => line(`M${330 + i * 59.4} 92L${190 + i * 77} 236`, '#39424a', 6)),
      rect(160, 226, 1290, 34, '#39424a', 1, 14),
      rect(320, 74, 970, 34, '#5d6a72', 1, 14),
      // at its foot
      placeSvg(180, 960, [
        oval(0, 0, 90, 12, grass[0]),
        shape('M-70 -90L-54 0H54L70 -90Z', '#b5654a'),
        drawFoliage(r, 0, -130, 90, 70, ['#3d6650', '#5f8a66', '#9ab77d'], 10),
        repeatSvg(9, () => oval(r(-70, 70), r(-180, -90), 12, 11, r.pick(['#e8a24a', '#f2d58a', '#d9662f']))),
      ]),
      drawFigure(1470, 1010, 330, '#3e5d86', '#6d6a66'),
      drawFigure(1560, 1020, 210, '#d9a441', '#2b2622'),
      drawGrassBlades(r, 120, 0, 1000, 1600, 70, 50, [grass[0], grass[2], ...leaf.slice(1)]),
    ],
  },

  whiteboard: {
    width: 1600,
    height: 1200,
    alt: { en: 'The whiteboard after the meeting, full of notes', ja: '話し合いのあとのホワイトボード' },
    draw: (r) => {
      const note = (x: number, y: number, fill: string): SvgMarkup =>
        placeSvg(
          x,
          y,
          [
            rect(4, 6, 104, 100, '#2b2622', 0.14),
            rect(0, 0, 104, 100, fill),
            drawTextLines(14, 28, 72, 3, 22, '#5c5347', 5),
          ],
          1,
          r(-6, 6),
        )
      const chair = (x: number): SvgMarkup => [
        rect(x - 70, 900, 140, 190, '#7a8f86', 1, 24),
        rect(x - 70, 900, 140, 60, '#8aa096', 1, 24),
        line(`M${x - 54} 1080V1220M${x + 54} 1080V1220`, '#5d6a66', 15),
      ]
      return [
        rect(0, 0, 1600, 1200, '#d8d6c8'),
        shape('M1600 0H1150L500 1000H1600Z', '#f4eed9', 0.6),
        rect(0, 900, 1600, 300, '#b09470'),
        rect(0, 888, 1600, 20, '#8a6f50'),
        // clock, cupboard and plant
        oval(1440, 180, 90, 90, '#6b4a30'),
        oval(1440, 180, 77, 77, '#fbf8ee'),
        repeatSvg(12, (i) =>
          line(
            `M${1440 + Math.cos((i * Math.PI) / 6) * 64} ${180 + Math.sin((i * Math.PI) / 6) * 64}l${Math.cos((i * Math.PI) / 6) * 7} ${Math.sin((i * Math.PI) / 6) * 7}`,
            '#6b4a30',
            5,
          ),
        ),
        line('M1440 180V128M1440 180L1482 206', '#2b2622', 8),
        rect(1330, 560, 250, 350, '#a3744a'),
        rect(1342, 572, 110, 320, '#b98650'),
        rect(1458, 572, 110, 320, '#b98650'),
        oval(1436, 740, 7, 16, '#5c3d27'),
        oval(1474, 740, 7, 16, '#5c3d27'),
        placeSvg(1450, 560, [
          shape('M-60 -90L-46 0H46L60 -90Z', '#b5654a'),
          [-60, -24, 12, 48].map((lean, i) =>
            placeSvg(
              0,
              -90,
              shape('M0 0Q34 -100 4 -190Q-34 -100 0 0Z', i % 2 ? '#4a7350' : '#6e9a64'),
              1,
              lean,
            ),
          ),
        ]),
        // the board
        rect(110, 130, 1140, 700, '#2b2622', 0.15, 14),
        rect(96, 110, 1140, 700, '#9aa5a5', 1, 14),
        rect(116, 130, 1100, 660, '#fdfdf9'),
        shape('M116 130H500L220 790H116Z', '#eef2f0', 0.8),
        line('M160 200h260', '#2f4a6d', 12),
        drawTextLines(160, 250, 300, 4, 44, '#4a4f55', 7),
        repeatSvg(4, (i) => oval(150, 250 + i * 44, 6, 6, '#c1452f')),
        // plan of the stalls
        `<rect x="160" y="470" width="420" height="270" fill="none" stroke="#2f5d4e" stroke-width="7" rx="10"/>`,
        line('M300 470V740M440 470V600H580M160 610H300', '#2f5d4e', 6),
        repeatSvgWithNumbers('230 540, 370 600, 510 535, 230 680, 510 680', (x, y, i) =>
          i % 2
            ? line(`M${x - 26} ${y - 22}l52 44m0 -44l-52 44`, '#c1452f', 8)
            : ring(x, y, 28, 28, '#2f4a6d', 7),
        ),
        line('M590 700C680 690 660 610 720 600', '#c1452f', 7),
        line('M696 588l26 12l-14 26', '#c1452f', 7),
        // lantern, arrows, budget
        line('M640 200V226M616 250H664M616 360H664M640 376V410', '#c1452f', 7),
        oval(640, 306, 58, 54, '#fbe3d6'),
        ring(640, 306, 58, 54, '#c1452f', 7),
        line('M588 288h104M584 310h112M590 332h100', '#c1452f', 4),
        line('M760 470V720H1180', '#4a4f55', 7),
        line('M780 690L860 640L940 660L1020 560L1100 580L1170 500', '#2f5d4e', 9),
        [
          [0, '#f2d58a'],
          [1, '#bcd6c4'],
          [2, '#f3c9b8'],
        ].map(([col, fill]) =>
          repeatSvg(2, (row) =>
            note(770 + (col as number) * 140, 176 + row * 128, r() < 0.8 ? (fill as string) : '#cfdcea'),
          ),
        ),
        r() < 0.6 ? note(1060, 620, '#f2d58a') : '',
        rect(480, 806, 420, 24, '#7d8888', 1, 8),
        ['#c1452f', '#2f4a6d', '#2f5d4e'].map((fill, i) => rect(520 + i * 84, 796, 66, 15, fill, 1, 7)),
        rect(800, 786, 70, 26, '#5c5347', 1, 5),
        // table, cups and chairs
        chair(330),
        chair(1000),
        oval(680, 1120, 640, 90, '#2b1a12', 0.2),
        shape('M160 1040H1240L1360 1200H40Z', '#d9b27c'),
        shape('M160 1040H1240L1250 1054H150Z', '#efd3a4'),
        [
          [360, 1110, '#4f7a86'],
          [620, 1160, '#b8543c'],
          [940, 1096, '#e8dcc4'],
          [1120, 1170, '#6e8048'],
        ].map(([x, y, fill]) => [
          oval((x as number) + 8, (y as number) + 2, 52, 12, '#3b2413', 0.3),
          shape(`M${(x as number) - 42} ${(y as number) - 78}h84l-9 76q-33 10 -66 0Z`, fill as string),
          oval(x as number, (y as number) - 78, 42, 12, '#f7f1e2'),
          oval(x as number, (y as number) - 77, 34, 9, '#93ab5c'),
        ]),
        placeSvg(760, 1110, [
          oval(6, 8, 130, 20, '#3b2413', 0.25),
          oval(0, 0, 124, 22, '#f1e6cf'),
          repeatSvg(5, (i) => oval(-60 + i * 30, -14 - (i % 2) * 10, 24, 18, ['#c57e38', '#d99a52'][i % 2]!)),
        ]),
        placeSvg(480, 1150, [
          shape('M-80 20L-60 -40H70L90 20Z', '#fbf8ee'),
          drawTextLines(-40, -22, 90, 3, 14, '#a89d86', 4),
          line('M96 10L150 -30', '#3e5d86', 9),
        ]),
      ]
    },
  },
} satisfies Record<string, DemoScene>
