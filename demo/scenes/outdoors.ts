import { drawBowl, drawFigure, drawFloor, drawPlanks, drawSteam } from '../scene-objects.ts'
import {
  applyBlurFilter,
  applyClipPath,
  type DemoScene,
  defineGradient,
  drawCloud,
  drawFoliage,
  drawGlow,
  drawHills,
  drawSky,
  drawTree,
  drawTrunk,
  evergreenShades,
  line,
  oval,
  placeSvg,
  rect,
  repeatSvg,
  repeatSvgWithNumbers,
  type SvgMarkup,
  shape,
  woodColours,
} from '../svg.ts'

export const outdoorScenes = {
  garden: {
    width: 1600,
    height: 1067,
    alt: {
      en: 'A garden seen from the veranda, with a cup of tea on the boards',
      ja: '縁側から見た庭。板の上に湯のみがひとつ',
    },
    draw: (r, { sky: air, far, leaf, grass, season, cloud: white }) => [
      drawSky(1600, 560, air),
      drawCloud(930, 150, 210, white, 0.7),
      drawHills(r, 1600, 360, 40, 600, far[1], 4),
      drawHills(r, 1600, 420, 26, 600, far[0], 6),
      [120, 420, 660, 1010].map((x) =>
        drawFoliage(r, x + r(-40, 40), 430, r(110, 170), r(80, 120), evergreenShades),
      ),
      rect(0, 470, 1600, 120, '#ece3cf'),
      rect(0, 566, 1600, 24, '#b9ab90'),
      repeatSvg(41, (i) => rect(i * 40 - 10, 452, 32, 22, i % 2 ? '#59646a' : '#64717a', 1, 8)),
      rect(0, 446, 1600, 12, '#4b555b'),
      rect(0, 588, 1600, 300, grass[1]),
      drawHills(r, 1600, 612, 12, 900, grass[2], 3),
      drawHills(r, 1600, 700, 26, 900, grass[1], 3),
      shape(
        'M640 900C700 800 900 770 1010 720S1180 640 1150 600H1090C1120 640 1040 680 920 726S500 800 420 900Z',
        grass[0],
        0.28,
      ),
      repeatSvgWithNumbers('150 640 150 92, 360 622 100 62, 1480 640 170 110', (x, y, rx, ry) => [
        oval(x, y + ry * 0.8, rx, 20, grass[0], 0.7),
        drawFoliage(r, x, y, rx, ry, evergreenShades),
      ]),
      // stone lantern
      placeSvg(560, 720, [
        oval(0, 0, 74, 16, grass[0]),
        shape('M-44 0L-34 -22H34L44 0Z', '#7d817c'),
        rect(-17, -122, 34, 104, '#999d96'),
        rect(-17, -122, 12, 104, '#acb0a8'),
        rect(-46, -140, 92, 22, '#85897f', 1, 4),
        rect(-36, -198, 72, 60, '#a3a79e'),
        rect(-18, -188, 36, 40, '#f5d28b', 1, 4),
        shape('M-84 -192Q-40 -206 -20 -240H20Q40 -206 84 -192L70 -184H-70Z', '#6f746e'),
        oval(0, -248, 15, 17, '#8b8f86'),
        season === 'winter'
          ? shape('M-84 -194Q-40 -208 -20 -242H20Q40 -208 84 -194Q40 -204 0 -202T-84 -194Z', '#f7fafa')
          : '',
      ]),
      oval(1190, 772, 190, 26, grass[0], 0.8),
      drawTrunk(1180, 774, 360, 62, '#5d4130', -70),
      line('M1150 560C1210 500 1270 470 1330 420M1130 520C1060 470 1010 440 980 400', '#5d4130', 20),
      drawFoliage(r, 1120, 300, 230, 130, leaf, 14),
      drawFoliage(r, 1330, 380, 170, 100, leaf, 12),
      drawFoliage(r, 950, 380, 130, 80, leaf, 10),
      repeatSvg(34, () =>
        placeSvg(
          r(860, 1460),
          r(640, 850),
          oval(0, 0, r(7, 12), r(3, 6), season === 'winter' ? '#ffffff' : r.pick(leaf)),
          1,
          r(-30, 30),
        ),
      ),
      repeatSvgWithNumbers('1090 640 46, 1040 674 56, 960 712 66, 850 748 78, 720 792 92', (x, y, size) => [
        oval(x, y + size * 0.16, size, size * 0.32, '#7f8078'),
        oval(x, y, size, size * 0.32, '#d9d6ca'),
        oval(x - size * 0.16, y - size * 0.05, size * 0.66, size * 0.18, '#e9e6dc'),
      ]),
      rect(0, 846, 1600, 30, '#4d3219'),
      drawFloor(r, 1600, 826, 1067, [800, 150], 17, woodColours),
      rect(0, 820, 1600, 12, '#8a5f38'),
      shape('M0 1067L260 832H700L560 1067Z', '#fff1cc', 0.28),
      shape('M760 1067L820 832H1010L1060 1067Z', '#fff1cc', 0.2),
      // cushion, tray, cup
      oval(1130, 986, 196, 26, '#3b2413', 0.3),
      shape('M960 930Q1130 906 1290 930Q1330 960 1310 982Q1130 1006 944 982Q930 954 960 930Z', '#3e5d86'),
      shape('M975 930Q1130 912 1276 930Q1290 944 1270 950Q1130 966 984 950Q960 944 975 930Z', '#54759f'),
      line('M1128 920v30M1112 934h32', '#e8d9b2', 5),
      oval(520, 968, 196, 30, '#3b2413', 0.3),
      oval(520, 954, 190, 36, '#7a3b2b'),
      oval(520, 948, 174, 29, '#934c38'),
      shape('M426 850H546L536 944Q486 962 436 944Z', '#f2ede0'),
      applyClipPath('cup', 'M426 850H546L536 944Q486 962 436 944Z', [
        rect(426, 900, 130, 18, '#5d7f93'),
        rect(516, 840, 40, 130, '#3b2413', 0.12),
      ]),
      oval(486, 850, 60, 14, '#fbf8ef'),
      oval(486, 852, 50, 10, '#93ab5c'),
      drawSteam(486, 826, 130),
      oval(620, 940, 54, 14, '#e8e2d2'),
      [592, 622, 650].map((x, i) => [
        oval(x, 926 - (i % 2) * 8, 19, 17, ['#e9b7b0', '#f4ecd8', '#a9bf85'][i]!),
        oval(x - 5, 920 - (i % 2) * 8, 6, 4, '#fff', 0.5),
      ]),
      // eaves, post and wind bell
      rect(1388, 40, 64, 840, '#6d4a2b'),
      rect(1388, 40, 18, 840, '#8a6038'),
      rect(1372, 812, 96, 26, '#8b8a80', 1, 6),
      rect(0, 0, 1600, 50, '#573921'),
      rect(0, 50, 1600, 12, '#7b5431'),
      repeatSvg(9, (i) => rect(60 + i * 190, 0, 46, 78, '#64432a')),
      line('M300 60V170', '#e9dfc8', 3),
      shape('M250 226Q250 166 300 166T350 226Q350 240 338 240H262Q250 240 250 226Z', '#cfe4e6', 0.85),
      shape('M262 222q16 -26 38 -8t40 -6v24H262Z', '#7fb0b8', 0.7),
      line('M300 236V300', '#b9513a', 3),
      placeSvg(
        300,
        300,
        [rect(-18, 0, 36, 118, '#f6efe0'), rect(-18, 0, 36, 30, '#c1452f'), rect(-18, 38, 36, 4, '#c1452f')],
        1,
        r(-9, 9),
      ),
    ],
  },

  cat: {
    width: 1200,
    height: 1600,
    alt: { en: 'A cat asleep in the sun on the boards', ja: '縁側の日だまりで眠る猫' },
    draw: (r, { hour }) => {
      const coats: readonly (readonly [string, string, string])[] = [
        ['#d98a45', '#b96a2c', '#f6e6cd'],
        ['#8f8a84', '#66615c', '#eeeae2'],
        ['#f3ead9', '#d98a45', '#fbf6ec'],
        ['#3f3a38', '#2c2827', '#5a5350'],
        ['#c9a57a', '#8f6b45', '#f3e6d0'],
      ]
      const [coat, mark, pale] = r.pick(coats)
      const body =
        'M-262 150C-320 10 -210 -130 0 -138C180 -142 300 -40 306 96C308 160 262 176 196 178H-190C-238 178 -254 168 -262 150Z'
      const light = hour === 'gold' ? '#ffdc9e' : '#fff0cd'
      const leafShadow = (x: number, y: number, turn: number): SvgMarkup =>
        placeSvg(
          x,
          y,
          [-60, -25, 10, 48].map((lean) =>
            placeSvg(0, 0, shape('M0 0Q14 -70 0 -150Q-16 -70 0 0Z', '#7d8a6a'), r(0.8, 1.2), lean),
          ),
          1,
          turn,
        )
      return [
        rect(0, 0, 1200, 1600, '#e9dcc0'),
        defineGradient('paper', hour === 'gold' ? '#fbe6c0' : '#f7f1e2', '#efe4ca'),
        rect(0, 60, 1200, 820, 'url(#paper)'),
        applyBlurFilter(
          repeatSvgWithNumbers(
            '250 420 150, 430 560 190, 120 640 130, 860 330 200, 1010 500 170, 700 700 220',
            (x, y, turn) => leafShadow(x + r(-40, 40), y, turn),
          ),
          5,
        ),
        applyBlurFilter(line('M150 880Q260 560 210 60M820 880Q900 500 980 60', '#7d8a6a', 16, 0.8), 6),
        rect(0, 60, 1200, 820, '#f7f1e2', 0.5),
        [0, 1].map((side) =>
          placeSvg(side * 600, 0, [
            [150, 300, 450].map((x) => rect(x - 5, 60, 10, 820, '#8a6240')),
            [200, 340, 480, 620, 760].map((y) => rect(0, y, 600, 9, '#8a6240')),
            rect(0, 60, 32, 830, '#6f4b2d'),
            rect(568, 60, 32, 830, '#6f4b2d'),
            rect(0, 780, 600, 110, '#7d5634'),
            rect(30, 800, 540, 70, '#8f6540'),
          ]),
        ),
        rect(0, 0, 1200, 70, '#5c3d23'),
        rect(0, 66, 1200, 14, '#3b2413', 0.4),
        rect(0, 880, 1200, 34, '#5c3d23'),
        drawFloor(r, 1200, 914, 1600, [600, -300], 15, woodColours),
        rect(0, 914, 1200, 26, '#3b2413', 0.22),
        [0, 1, 2, 3].map((i) =>
          shape(`M${-60 + i * 330} 1600L${210 + i * 250} 914h190L${190 + i * 330} 1600Z`, light, 0.42),
        ),
        oval(600, 1414, 440, 50, '#3b2413', 0.35),
        placeSvg(
          590,
          1210,
          [
            shape(body, coat),
            applyClipPath('body', body, [
              [40, 110, 180, 246].map((x, i) =>
                shape(
                  `M${x - 20} -150Q${x + 40} -80 ${x + 24} ${-30 + i * 12}Q${x - 4} -80 ${x - 52} -140Z`,
                  mark,
                  0.85,
                ),
              ),
              coat === '#f3ead9' ? [oval(190, -70, 150, 110, mark), oval(20, 30, 90, 60, '#4a3f3a')] : '',
              oval(-60, 190, 300, 70, pale, 0.9),
              shape('M306 96Q300 -40 180 -110Q260 60 130 178H320Z', '#2b1a0d', 0.13),
            ]),
            line('M276 130Q320 190 200 184Q60 176 -70 172', coat, 52),
            line('M-70 172h-8', mark, 52),
            line('M40 156Q100 170 170 160', '#2b1a0d', 5, 0.22),
            // head
            placeSvg(
              -170,
              -20,
              [
                [-1, 1].map((side) => [
                  shape(
                    `M${side * 104} -14Q${side * 122} -120 ${side * 96} -142Q${side * 52} -118 ${side * 24} -82Z`,
                    side < 0 ? coat : mark,
                  ),
                  shape(
                    `M${side * 92} -40Q${side * 102} -104 ${side * 90} -118Q${side * 62} -100 ${side * 44} -78Z`,
                    '#e3a594',
                  ),
                ]),
                oval(0, 0, 126, 106, coat),
                shape('M-20 -104Q0 -40 20 -104ZM-58 -96Q-40 -50 -30 -100ZM58 -96Q40 -50 30 -100Z', mark),
                oval(0, 46, 72, 52, pale),
                line('M-76 2Q-54 24 -30 4M76 2Q54 24 30 4', '#2b211c', 8),
                shape('M-15 24H15Q8 42 0 42T-15 24Z', '#c96f62'),
                line('M0 42V52Q-12 66 -28 58M0 52Q12 66 28 58', '#2b211c', 5),
                line('M-60 40L-150 26M-60 54L-146 60M60 40L150 26M60 54L146 60', '#fffaf0', 3.5, 0.9),
              ],
              1,
              r(-8, 4),
            ),
            [-150, -60].map((x) => oval(x, 168, 52, 24, pale)),
          ],
          1.18,
        ),
        // a bowl of water, and a leaf that blew in
        oval(1010, 1112, 100, 16, '#3b2413', 0.3),
        drawBowl(1000, 1110, 180, 66, '#b9825a', '#4f7a86', '#cfe0df'),
        placeSvg(
          930,
          1500,
          [shape('M0 0C20 -26 60 -24 84 0C60 22 20 24 0 0Z', '#cc662f'), line('M-14 2H70', '#8f4526', 4)],
          1,
          r(-30, 30),
        ),
      ]
    },
  },

  soup: {
    width: 1600,
    height: 1200,
    alt: { en: 'A big pot of soup over the fire by the river', ja: '河原の火にかけた大鍋の汁' },
    draw: (r, { sky: air, far, leaf, grass, cloud: white }) => {
      const pot = 'M-250 -130C-270 60 -180 160 0 164C180 160 270 60 250 -130Z'
      return [
        drawSky(1600, 640, air),
        drawCloud(180, 120, 260, white),
        drawCloud(1180, 90, 300, white),
        drawHills(r, 1600, 330, 60, 700, far[1], 4),
        drawHills(r, 1600, 430, 40, 700, far[0], 5),
        repeatSvg(18, (i) =>
          drawFoliage(
            r,
            i * 95 + r(-30, 30),
            500 + r(-20, 20),
            r(80, 120),
            r(60, 90),
            r() < 0.65 ? leaf : evergreenShades,
            9,
          ),
        ),
        rect(0, 540, 1600, 90, '#9fc0c6'),
        repeatSvg(26, () => rect(r(0, 1600), r(548, 620), r(40, 130), 5, '#eef5f2', 0.6, 2)),
        shape('M-20 620Q500 590 900 612T1620 604V1200H-20Z', grass[2]),
        shape('M-20 690Q600 660 1000 690T1620 670V1200H-20Z', grass[1]),
        drawTree(r, 1480, 720, 560, leaf),
        drawFigure(200, 780, 300, '#b8543c', '#2b2622'),
        drawFigure(300, 770, 200, '#d9a441', '#3a2a22'),
        drawFigure(1230, 780, 310, '#3e5d86', '#6d6a66'),
        repeatSvg(80, () =>
          oval(r(0, 1600), r(700, 960), r(5, 16), r(3, 7), r.pick(['#b7b3a5', '#8f8d83', ...leaf]), 0.8),
        ),
        // tripod, fire, pot
        line('M780 60L420 930M780 60L1140 930M780 60L800 420', '#5a4130', 20),
        line('M800 300V470', '#2b2622', 7),
        oval(780, 930, 340, 46, '#3b3530', 0.5),
        drawGlow(780, 860, 360, '#ffab4f', 0.8),
        repeatSvg(9, (i) =>
          shape(
            `M${560 + i * 52} 930Q${540 + i * 52} ${850 - r(0, 60)} ${590 + i * 52} ${760 - r(0, 50)}Q${640 + i * 52} 860 ${614 + i * 52} 930Z`,
            i % 2 ? '#f2a13c' : '#e2672c',
          ),
        ),
        repeatSvg(6, (i) =>
          shape(
            `M${610 + i * 58} 932Q${604 + i * 58} 880 ${630 + i * 58} 830Q${662 + i * 58} 890 ${650 + i * 58} 932Z`,
            '#ffe29a',
          ),
        ),
        line('M520 946L1040 900M540 900L1020 950M780 950L660 890', '#4f3826', 34),
        repeatSvg(11, (i) =>
          oval(470 + i * 62, 956 + (i % 2) * 12, 48, 30, ['#8f8d83', '#a5a297', '#7b796f'][i % 3]!),
        ),
        line('M540 520Q780 300 1020 520', '#2b2622', 13),
        placeSvg(780, 650, [
          shape(pot, '#34312f'),
          applyClipPath('pot', pot, [
            shape('M-260 -130Q-230 130 -90 170H-260Z', '#4d4845'),
            rect(-260, -60, 520, 12, '#4d4845'),
            shape('M140 -130Q180 60 60 170H260V-130Z', '#211f1e'),
          ]),
          oval(0, -130, 262, 56, '#45413e'),
          oval(0, -126, 238, 44, '#b9793c'),
          oval(-20, -130, 206, 32, '#cf9450'),
          repeatSvg(26, () => {
            const [a, out] = [r(0, 6.3), Math.sqrt(r()) * 0.85]
            const [x, y] = [Math.cos(a) * out * 210, -128 + Math.sin(a) * out * 34]
            return r.pick([
              oval(x, y, 19, 11, '#f3e9d4'),
              rect(x - 14, y - 6, 28, 11, '#8fa562', 1, 5),
              oval(x, y, 16, 10, '#d9662f'),
              rect(x - 13, y - 8, 26, 15, '#8a5f43', 1, 5),
            ])
          }),
          line('M120 -140L250 -360', '#a3744a', 17),
        ]),
        drawSteam(690, 480, 300, 0.4),
        drawSteam(880, 480, 250, 0.35),
        // the table
        drawPlanks(r, 0, 1010, 1600, 190, 3, woodColours),
        rect(0, 1000, 1600, 14, '#e0b987'),
        rect(0, 960, 1600, 40, '#3b2413', 0.0),
        repeatSvg(4, (i) => drawBowl(210 + i * 2, 1110 - i * 42, 190, 84, '#6b2f22', '#8a3a2a', '#4a1f17')),
        repeatSvgWithNumbers('480 1130, 1090 1120', (x, y) => [
          oval(x + 8, y, 90, 12, '#3b2413', 0.3),
          drawBowl(x, y, 210, 100, '#6b2f22', '#8a3a2a', '#cf9450'),
          oval(x - 30, y - 100, 20, 6, '#f3e9d4'),
          rect(x + 8, y - 104, 26, 8, '#8fa562', 1, 4),
          drawSteam(x, y - 116, 110, 0.45),
        ]),
        line('M600 1136L860 1104M604 1148L868 1120', '#8a3a2a', 8),
        rect(1240, 1086, 300, 34, '#b07a48', 1, 14),
        [1080, 1064, 1070].map((y, i) => [
          line(`M${1270 + i * 20} ${y}H1420`, '#f3f0e2', 20),
          line(`M1420 ${y}l120 ${-16 + i * 12}`, '#6e8f52', 18),
        ]),
      ]
    },
  },
} satisfies Record<string, DemoScene>
