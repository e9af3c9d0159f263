import { createBowlSvg, createSteamSvg, plankFloor } from '../scene-objects.ts'
import {
  applySvgBlurFilter,
  applySvgClipPath,
  createCloudSvg,
  createEllipseSvg,
  createFilledPathSvg,
  createFoliageSvg,
  createHillsSvg,
  createRectSvg,
  createRepeatedSvg,
  createSkySvg,
  createStrokedPathSvg,
  createTrunkSvg,
  type DemoSceneDefinition,
  evergreenShades,
  mapNumbers,
  type NestedSvgMarkup,
  place,
  verticalGradient,
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
      createSkySvg(1600, 560, air),
      createCloudSvg(930, 150, 210, white, 0.7),
      createHillsSvg(r, 1600, 360, 40, 600, far[1], 4),
      createHillsSvg(r, 1600, 420, 26, 600, far[0], 6),
      [120, 420, 660, 1010].map((x) =>
        createFoliageSvg(r, x + r(-40, 40), 430, r(110, 170), r(80, 120), evergreenShades),
      ),
      createRectSvg(0, 470, 1600, 120, '#ece3cf'),
      createRectSvg(0, 566, 1600, 24, '#b9ab90'),
      createRepeatedSvg(41, (i) =>
        createRectSvg(i * 40 - 10, 452, 32, 22, i % 2 ? '#59646a' : '#64717a', 1, 8),
      ),
      createRectSvg(0, 446, 1600, 12, '#4b555b'),
      createRectSvg(0, 588, 1600, 300, grass[1]),
      createHillsSvg(r, 1600, 612, 12, 900, grass[2], 3),
      createHillsSvg(r, 1600, 700, 26, 900, grass[1], 3),
      createFilledPathSvg(
        'M640 900C700 800 900 770 1010 720S1180 640 1150 600H1090C1120 640 1040 680 920 726S500 800 420 900Z',
        grass[0],
        0.28,
      ),
      mapNumbers('150 640 150 92, 360 622 100 62, 1480 640 170 110', (x, y, rx, ry) => [
        createEllipseSvg(x, y + ry * 0.8, rx, 20, grass[0], 0.7),
        createFoliageSvg(r, x, y, rx, ry, evergreenShades),
      ]),
      // The next SVG shapes draw the stone lantern in the garden.
      place(560, 720, [
        createEllipseSvg(0, 0, 74, 16, grass[0]),
        createFilledPathSvg('M-44 0L-34 -22H34L44 0Z', '#7d817c'),
        createRectSvg(-17, -122, 34, 104, '#999d96'),
        createRectSvg(-17, -122, 12, 104, '#acb0a8'),
        createRectSvg(-46, -140, 92, 22, '#85897f', 1, 4),
        createRectSvg(-36, -198, 72, 60, '#a3a79e'),
        createRectSvg(-18, -188, 36, 40, '#f5d28b', 1, 4),
        createFilledPathSvg('M-84 -192Q-40 -206 -20 -240H20Q40 -206 84 -192L70 -184H-70Z', '#6f746e'),
        createEllipseSvg(0, -248, 15, 17, '#8b8f86'),
        season === 'winter'
          ? createFilledPathSvg(
              'M-84 -194Q-40 -208 -20 -242H20Q40 -208 84 -194Q40 -204 0 -202T-84 -194Z',
              '#f7fafa',
            )
          : '',
      ]),
      createEllipseSvg(1190, 772, 190, 26, grass[0], 0.8),
      createTrunkSvg(1180, 774, 360, 62, '#5d4130', -70),
      createStrokedPathSvg(
        'M1150 560C1210 500 1270 470 1330 420M1130 520C1060 470 1010 440 980 400',
        '#5d4130',
        20,
      ),
      createFoliageSvg(r, 1120, 300, 230, 130, leaf, 14),
      createFoliageSvg(r, 1330, 380, 170, 100, leaf, 12),
      createFoliageSvg(r, 950, 380, 130, 80, leaf, 10),
      createRepeatedSvg(34, () =>
        place(
          r(860, 1460),
          r(640, 850),
          createEllipseSvg(0, 0, r(7, 12), r(3, 6), season === 'winter' ? '#ffffff' : r.pick(leaf)),
          1,
          r(-30, 30),
        ),
      ),
      mapNumbers('1090 640 46, 1040 674 56, 960 712 66, 850 748 78, 720 792 92', (x, y, size) => [
        createEllipseSvg(x, y + size * 0.16, size, size * 0.32, '#7f8078'),
        createEllipseSvg(x, y, size, size * 0.32, '#d9d6ca'),
        createEllipseSvg(x - size * 0.16, y - size * 0.05, size * 0.66, size * 0.18, '#e9e6dc'),
      ]),
      createRectSvg(0, 846, 1600, 30, '#4d3219'),
      plankFloor(r, 1600, 826, 1067, [800, 150], 17, woodColours),
      createRectSvg(0, 820, 1600, 12, '#8a5f38'),
      createFilledPathSvg('M0 1067L260 832H700L560 1067Z', '#fff1cc', 0.28),
      createFilledPathSvg('M760 1067L820 832H1010L1060 1067Z', '#fff1cc', 0.2),
      // The next SVG shapes draw a cushion, and a tray with a cup of tea and sweets.
      createEllipseSvg(1130, 986, 196, 26, '#3b2413', 0.3),
      createFilledPathSvg(
        'M960 930Q1130 906 1290 930Q1330 960 1310 982Q1130 1006 944 982Q930 954 960 930Z',
        '#3e5d86',
      ),
      createFilledPathSvg(
        'M975 930Q1130 912 1276 930Q1290 944 1270 950Q1130 966 984 950Q960 944 975 930Z',
        '#54759f',
      ),
      createStrokedPathSvg('M1128 920v30M1112 934h32', '#e8d9b2', 5),
      createEllipseSvg(520, 968, 196, 30, '#3b2413', 0.3),
      createEllipseSvg(520, 954, 190, 36, '#7a3b2b'),
      createEllipseSvg(520, 948, 174, 29, '#934c38'),
      createFilledPathSvg('M426 850H546L536 944Q486 962 436 944Z', '#f2ede0'),
      applySvgClipPath('cup', 'M426 850H546L536 944Q486 962 436 944Z', [
        createRectSvg(426, 900, 130, 18, '#5d7f93'),
        createRectSvg(516, 840, 40, 130, '#3b2413', 0.12),
      ]),
      createEllipseSvg(486, 850, 60, 14, '#fbf8ef'),
      createEllipseSvg(486, 852, 50, 10, '#93ab5c'),
      createSteamSvg(486, 826, 130),
      createEllipseSvg(620, 940, 54, 14, '#e8e2d2'),
      [592, 622, 650].map((x, i) => [
        createEllipseSvg(x, 926 - (i % 2) * 8, 19, 17, ['#e9b7b0', '#f4ecd8', '#a9bf85'][i]!),
        createEllipseSvg(x - 5, 920 - (i % 2) * 8, 6, 4, '#fff', 0.5),
      ]),
      // The next SVG shapes draw the eaves, a post and a wind bell.
      createRectSvg(1388, 40, 64, 840, '#6d4a2b'),
      createRectSvg(1388, 40, 18, 840, '#8a6038'),
      createRectSvg(1372, 812, 96, 26, '#8b8a80', 1, 6),
      createRectSvg(0, 0, 1600, 50, '#573921'),
      createRectSvg(0, 50, 1600, 12, '#7b5431'),
      createRepeatedSvg(9, (i) => createRectSvg(60 + i * 190, 0, 46, 78, '#64432a')),
      createStrokedPathSvg('M300 60V170', '#e9dfc8', 3),
      createFilledPathSvg(
        'M250 226Q250 166 300 166T350 226Q350 240 338 240H262Q250 240 250 226Z',
        '#cfe4e6',
        0.85,
      ),
      createFilledPathSvg('M262 222q16 -26 38 -8t40 -6v24H262Z', '#7fb0b8', 0.7),
      createStrokedPathSvg('M300 236V300', '#b9513a', 3),
      place(
        300,
        300,
        [
          createRectSvg(-18, 0, 36, 118, '#f6efe0'),
          createRectSvg(-18, 0, 36, 30, '#c1452f'),
          createRectSvg(-18, 38, 36, 4, '#c1452f'),
        ],
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
      const leafShadow = (x: number, y: number, turn: number): NestedSvgMarkup =>
        place(
          x,
          y,
          [-60, -25, 10, 48].map((lean) =>
            place(0, 0, createFilledPathSvg('M0 0Q14 -70 0 -150Q-16 -70 0 0Z', '#7d8a6a'), r(0.8, 1.2), lean),
          ),
          1,
          turn,
        )
      return [
        createRectSvg(0, 0, 1200, 1600, '#e9dcc0'),
        verticalGradient('paper', hour === 'gold' ? '#fbe6c0' : '#f7f1e2', '#efe4ca'),
        createRectSvg(0, 60, 1200, 820, 'url(#paper)'),
        applySvgBlurFilter(
          mapNumbers(
            '250 420 150, 430 560 190, 120 640 130, 860 330 200, 1010 500 170, 700 700 220',
            (x, y, turn) => leafShadow(x + r(-40, 40), y, turn),
          ),
          5,
        ),
        applySvgBlurFilter(
          createStrokedPathSvg('M150 880Q260 560 210 60M820 880Q900 500 980 60', '#7d8a6a', 16, 0.8),
          6,
        ),
        createRectSvg(0, 60, 1200, 820, '#f7f1e2', 0.5),
        [0, 1].map((side) =>
          place(side * 600, 0, [
            [150, 300, 450].map((x) => createRectSvg(x - 5, 60, 10, 820, '#8a6240')),
            [200, 340, 480, 620, 760].map((y) => createRectSvg(0, y, 600, 9, '#8a6240')),
            createRectSvg(0, 60, 32, 830, '#6f4b2d'),
            createRectSvg(568, 60, 32, 830, '#6f4b2d'),
            createRectSvg(0, 780, 600, 110, '#7d5634'),
            createRectSvg(30, 800, 540, 70, '#8f6540'),
          ]),
        ),
        createRectSvg(0, 0, 1200, 70, '#5c3d23'),
        createRectSvg(0, 66, 1200, 14, '#3b2413', 0.4),
        createRectSvg(0, 880, 1200, 34, '#5c3d23'),
        plankFloor(r, 1200, 914, 1600, [600, -300], 15, woodColours),
        createRectSvg(0, 914, 1200, 26, '#3b2413', 0.22),
        [0, 1, 2, 3].map((i) =>
          createFilledPathSvg(
            `M${-60 + i * 330} 1600L${210 + i * 250} 914h190L${190 + i * 330} 1600Z`,
            light,
            0.42,
          ),
        ),
        createEllipseSvg(600, 1414, 440, 50, '#3b2413', 0.35),
        place(
          590,
          1210,
          [
            createFilledPathSvg(body, coat),
            applySvgClipPath('body', body, [
              [40, 110, 180, 246].map((x, i) =>
                createFilledPathSvg(
                  `M${x - 20} -150Q${x + 40} -80 ${x + 24} ${-30 + i * 12}Q${x - 4} -80 ${x - 52} -140Z`,
                  mark,
                  0.85,
                ),
              ),
              coat === '#f3ead9'
                ? [createEllipseSvg(190, -70, 150, 110, mark), createEllipseSvg(20, 30, 90, 60, '#4a3f3a')]
                : '',
              createEllipseSvg(-60, 190, 300, 70, pale, 0.9),
              createFilledPathSvg('M306 96Q300 -40 180 -110Q260 60 130 178H320Z', '#2b1a0d', 0.13),
            ]),
            createStrokedPathSvg('M276 130Q320 190 200 184Q60 176 -70 172', coat, 52),
            createStrokedPathSvg('M-70 172h-8', mark, 52),
            createStrokedPathSvg('M40 156Q100 170 170 160', '#2b1a0d', 5, 0.22),
            // The next SVG shapes draw the head of the cat.
            place(
              -170,
              -20,
              [
                [-1, 1].map((side) => [
                  createFilledPathSvg(
                    `M${side * 104} -14Q${side * 122} -120 ${side * 96} -142Q${side * 52} -118 ${side * 24} -82Z`,
                    side < 0 ? coat : mark,
                  ),
                  createFilledPathSvg(
                    `M${side * 92} -40Q${side * 102} -104 ${side * 90} -118Q${side * 62} -100 ${side * 44} -78Z`,
                    '#e3a594',
                  ),
                ]),
                createEllipseSvg(0, 0, 126, 106, coat),
                createFilledPathSvg(
                  'M-20 -104Q0 -40 20 -104ZM-58 -96Q-40 -50 -30 -100ZM58 -96Q40 -50 30 -100Z',
                  mark,
                ),
                createEllipseSvg(0, 46, 72, 52, pale),
                createStrokedPathSvg('M-76 2Q-54 24 -30 4M76 2Q54 24 30 4', '#2b211c', 8),
                createFilledPathSvg('M-15 24H15Q8 42 0 42T-15 24Z', '#c96f62'),
                createStrokedPathSvg('M0 42V52Q-12 66 -28 58M0 52Q12 66 28 58', '#2b211c', 5),
                createStrokedPathSvg(
                  'M-60 40L-150 26M-60 54L-146 60M60 40L150 26M60 54L146 60',
                  '#fffaf0',
                  3.5,
                  0.9,
                ),
              ],
              1,
              r(-8, 4),
            ),
            [-150, -60].map((x) => createEllipseSvg(x, 168, 52, 24, pale)),
          ],
          1.18,
        ),
        // The next SVG shapes draw a bowl of water, and a leaf that the wind blew into it.
        createEllipseSvg(1010, 1112, 100, 16, '#3b2413', 0.3),
        createBowlSvg(1000, 1110, 180, 66, '#b9825a', '#4f7a86', '#cfe0df'),
        place(
          930,
          1500,
          [
            createFilledPathSvg('M0 0C20 -26 60 -24 84 0C60 22 20 24 0 0Z', '#cc662f'),
            createStrokedPathSvg('M-14 2H70', '#8f4526', 4),
          ],
          1,
          r(-30, 30),
        ),
      ]
    },
  },
} satisfies Record<string, DemoSceneDefinition>
