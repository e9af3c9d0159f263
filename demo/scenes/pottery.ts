import type { SeededRandom } from '../random.ts'
import { createBowlSvg, createPlanksSvg } from '../scene-objects.ts'
import {
  applySvgClipPath,
  createEllipseSvg,
  createFilledPathSvg,
  createGlowSvg,
  createRectSvg,
  createRepeatedSvg,
  createStrokedPathSvg,
  type DemoSceneDefinition,
  mapNumbers,
  type NestedSvgMarkup,
  place,
} from '../svg.ts'

const vase = (
  x: number,
  base: number,
  w: number,
  h: number,
  clay: string,
  glaze: string,
): NestedSvgMarkup => {
  const d = `M${x - w * 0.22} ${base - h}Q${x - w * 0.16} ${base - h * 0.8} ${x - w * 0.42} ${base - h * 0.62}Q${x - w * 0.66} ${base - h * 0.3} ${x - w * 0.3} ${base}H${x + w * 0.3}Q${x + w * 0.66} ${base - h * 0.3} ${x + w * 0.42} ${base - h * 0.62}Q${x + w * 0.16} ${base - h * 0.8} ${x + w * 0.22} ${base - h}Z`
  return [
    createFilledPathSvg(d, clay),
    applySvgClipPath(`v${x}`, d, [
      createFilledPathSvg(
        `M${x - w} ${base - h}H${x + w}V${base - h * 0.4}Q${x + w * 0.3} ${base - h * 0.2} ${x} ${base - h * 0.42}T${x - w} ${base - h * 0.38}Z`,
        glaze,
      ),
      createRectSvg(x + w * 0.2, base - h, w, h, '#1b1410', 0.14),
      createStrokedPathSvg(
        `M${x - w * 0.36} ${base - h * 0.5}Q${x - w * 0.44} ${base - h * 0.3} ${x - w * 0.3} ${base - h * 0.14}`,
        '#fffaf0',
        w * 0.05,
        0.45,
      ),
    ]),
    createEllipseSvg(x, base - h, w * 0.22, h * 0.035, '#2b2622'),
  ]
}

const sprig = (
  r: SeededRandom,
  x: number,
  y: number,
  tall: number,
  leaf: readonly string[],
): NestedSvgMarkup => [
  createStrokedPathSvg(
    `M${x} ${y}Q${x - tall * 0.1} ${y - tall * 0.5} ${x + tall * 0.2} ${y - tall}M${x - tall * 0.02} ${y - tall * 0.4}Q${x - tall * 0.2} ${y - tall * 0.6} ${x - tall * 0.26} ${y - tall * 0.76}`,
    '#5c4330',
    6,
  ),
  createRepeatedSvg(15, () => {
    const [up, side] = [r(0.3, 1), r() < 0.35]
    const [px, py] = side
      ? [x - tall * 0.26 * up, y - tall * (0.36 + 0.4 * up)]
      : [x + tall * (0.24 * up - 0.05), y - tall * up]
    return place(
      px,
      py,
      createFilledPathSvg('M0 0Q16 -22 44 -12Q34 14 0 0Z', r.pick(leaf)),
      tall / 300,
      r(-160, 40),
    )
  }),
]

const glazes: readonly (readonly [string, string, string])[] = [
  ['#8a6a50', '#4f7a86', '#6f9aa3'],
  ['#b9825a', '#efe6d2', '#f8f2e4'],
  ['#6b5546', '#2f4a6d', '#48678f'],
  ['#9a6444', '#6e8048', '#90a263'],
  ['#7a4a38', '#a8452f', '#c0634a'],
  ['#8c7a66', '#c9a24a', '#dcbd70'],
  ['#5c4f48', '#3a3836', '#565250'],
]

export const potteryScenes = {
  bowls: {
    width: 1600,
    height: 1200,
    alt: { en: 'Glazed bowls on the shelf, just out of the kiln', ja: '窯から出たばかりの器が並ぶ棚' },
    draw: (r, { leaf, hour }) => {
      const deck = r.some(glazes, glazes.length)
      let turn = 0
      const row = (base: number, items: readonly (readonly [number, number, number])[]): NestedSvgMarkup =>
        items.map(([x, w, h]) => {
          const [clay, glaze, inside] = deck[turn++ % deck.length]!
          return [
            createEllipseSvg(x + w * 0.08, base - 2, w * 0.42, 10, '#3b2413', 0.28),
            createBowlSvg(x, base, w, h, clay, glaze, inside),
          ]
        })
      const board = (y: number): NestedSvgMarkup => [
        createRectSvg(40, y, 1520, 40, '#b98650'),
        createRectSvg(40, y, 1520, 8, '#d3a873'),
        createRectSvg(40, y + 40, 1520, 34, '#3b2413', 0.16),
        [180, 1420].map((x) => createFilledPathSvg(`M${x - 14} ${y + 40}h28v60q-14 26 -28 0Z`, '#8a5f3a')),
      ]
      const [clay, glaze] = deck[4]!
      return [
        createRectSvg(0, 0, 1600, 1200, '#e3d9c4'),
        createFilledPathSvg('M200 0H980L320 1200H-460Z', hour === 'gold' ? '#ffd9a0' : '#fbf3df', 0.75),
        createFilledPathSvg('M1180 0H1330L670 1200H520Z', hour === 'gold' ? '#ffd9a0' : '#fbf3df', 0.6),
        createRepeatedSvg(60, () =>
          createEllipseSvg(r(0, 1600), r(0, 1200), r(2, 40), r(1, 3), '#cfc2a6', 0.35),
        ),
        board(372),
        row(372, [
          [230, 250, 130],
          [470, 150, 100],
          [900, 210, 150],
          [1130, 170, 84],
        ]),
        sprig(r, 668, 160, 150, leaf),
        createEllipseSvg(690, 370, 70, 10, '#3b2413', 0.28),
        vase(672, 372, 150, 220, clay, glaze),
        createEllipseSvg(1386, 370, 100, 10, '#3b2413', 0.28),
        createRepeatedSvg(5, (i) => [
          createEllipseSvg(1376, 356 - i * 22, 112 - i * 4, 17, ['#8c7a66', '#6b5546'][i % 2]!),
          createEllipseSvg(1376, 350 - i * 22, 112 - i * 4, 15, ['#efe6d2', '#4f7a86', '#e6d9bd'][i % 3]!),
        ]),
        board(760),
        row(760, [
          [260, 330, 170],
          [590, 200, 130],
          [1060, 300, 150],
          [1390, 220, 170],
        ]),
        createRepeatedSvg(3, (i) => row(760 - i * 44, [[800 + i * 3, 180, 78]])),
        board(1130),
        row(1130, [
          [210, 210, 150],
          [470, 230, 110],
          [770, 330, 180],
          [1380, 250, 130],
        ]),
        // The next SVG shapes draw a teapot.
        place(1085, 1130, [
          createEllipseSvg(8, 0, 96, 10, '#3b2413', 0.28),
          createStrokedPathSvg('M86 -70Q150 -80 142 -130', '#6b5546', 24),
          createStrokedPathSvg('M-78 -110Q-150 -130 -140 -60Q-128 -40 -88 -44', '#6b5546', 17),
          createFilledPathSvg(
            'M-96 -64Q-90 -140 0 -142Q90 -140 96 -64Q90 0 46 0H-46Q-90 0 -96 -64Z',
            '#7a6352',
          ),
          createFilledPathSvg(
            'M-96 -64Q-90 -140 0 -142Q90 -140 96 -64Q60 -30 30 -52T-40 -46T-96 -64Z',
            '#4f7a86',
          ),
          createEllipseSvg(0, -140, 52, 12, '#3f656f'),
          createEllipseSvg(0, -156, 15, 13, '#6b5546'),
        ]),
      ]
    },
  },

  kiln: {
    width: 1400,
    height: 1400,
    alt: { en: 'The kiln, opened, with its shelves of pots', ja: '窯出し。棚いっぱいの器' },
    draw: (r) => {
      const pot = (x: number, base: number, w: number): NestedSvgMarkup => {
        const [clay, glaze, inside] = r.pick([
          ['#8a5a44', '#5f8a92', '#7aa5ab'],
          ['#a3684a', '#efe0c4', '#f7eeda'],
          ['#7a5040', '#3e5d86', '#5a7aa3'],
          ['#96603f', '#8a9650', '#a9b470'],
          ['#7d4b3a', '#b8543c', '#cf7050'],
          ['#8a6248', '#d0a850', '#e2c27a'],
        ] as const)
        return createBowlSvg(x, base, w, w * r(0.5, 0.85), clay, glaze, inside)
      }
      const door = 'M430 1130V560Q430 300 700 300T970 560V1130Z'
      return [
        createRectSvg(0, 0, 1400, 1400, '#6f6a63'),
        createPlanksSvg(r, 0, 0, 1400, 1160, 10, ['#5f5a54', '#645f58', '#59544e', '#68635b'], true),
        createRectSvg(0, 0, 1400, 90, '#463a30'),
        createGlowSvg(700, 720, 900, '#ffb066', 0.4),
        // The next SVG shapes draw the brick arch of the kiln.
        applySvgClipPath('kiln', 'M250 1150V560Q250 110 700 110T1150 560V1150Z', [
          createRectSvg(200, 90, 1000, 1080, '#8d4f3a'),
          createRepeatedSvg(19, (row) =>
            createRepeatedSvg(11, (i) =>
              createRectSvg(
                210 + i * 100 - (row % 2) * 50,
                100 + row * 56,
                94,
                50,
                r.pick(['#a9634a', '#b56d50', '#9c5942', '#bd7858', '#a35f48']),
                1,
                4,
              ),
            ),
          ),
          createRectSvg(980, 90, 220, 1080, '#2b1a12', 0.22),
        ]),
        createRepeatedSvg(17, (i) => {
          const turn = Math.PI + (i / 16) * Math.PI
          return place(
            700 + Math.cos(turn) * 302,
            580 + Math.sin(turn) * 302,
            createRectSvg(-26, -34, 52, 68, i % 2 ? '#c98463' : '#bd7858', 1, 4),
            1,
            (turn * 180) / Math.PI + 90,
          )
        }),
        createFilledPathSvg(door, '#2e1a14'),
        applySvgClipPath('door', door, [
          createGlowSvg(700, 760, 520, '#ff9a4d', 0.85),
          createGlowSvg(700, 1000, 420, '#ffc477', 0.6),
          mapNumbers('540 2, 740 3, 940 3, 1130 3', (y, count) => [
            createRepeatedSvg(count!, (i) => {
              const span = 500 / count!
              return pot(700 - 250 + span * (i + 0.5), y, Math.min(span, 180) * r(0.78, 0.94))
            }),
            createRectSvg(430, y, 540, 24, '#c9b193'),
            createRectSvg(430, y + 24, 540, 12, '#2b1a12', 0.4),
          ]),
          [436, 946].map((x) => createRectSvg(x, 540, 18, 600, '#a8927a')),
          createFilledPathSvg('M430 1130V560Q430 300 700 300Q500 330 490 560V1130Z', '#2b1a12', 0.3),
        ]),
        // The next SVG shapes draw the open door of the kiln.
        createFilledPathSvg('M1010 300L1310 220V1260L1010 1150Z', '#5d5f60'),
        createFilledPathSvg('M1040 340L1280 276V1200L1040 1120Z', '#74777a'),
        [420, 700, 980].map((y) =>
          createStrokedPathSvg(`M1010 ${y}L1310 ${y - 40 + (y - 300) * 0.08}`, '#45484a', 16),
        ),
        createEllipseSvg(1240, 740, 22, 40, '#2b2b2b'),
        // The next SVG shapes draw the floor, a crate with pots, and a pair of gloves.
        createRectSvg(0, 1150, 1400, 250, '#8b8378'),
        createRectSvg(0, 1150, 1400, 18, '#5f584f'),
        createFilledPathSvg('M430 1168H970L1180 1400H220Z', '#ffb870', 0.4),
        place(210, 1330, [
          createEllipseSvg(0, 0, 190, 20, '#2b1a12', 0.3),
          [pot(-90, -90, 140), pot(70, -84, 150), pot(-10, -100, 120)],
          createRectSvg(-180, -140, 360, 140, '#b98650', 1, 6),
          [-94, -48].map((y) => createRectSvg(-180, y, 360, 7, '#7d5634')),
          createRectSvg(-180, -140, 18, 140, '#8f6540'),
          createRectSvg(162, -140, 18, 140, '#8f6540'),
        ]),
        place(
          1080,
          1310,
          [
            createEllipseSvg(10, 30, 130, 14, '#2b1a12', 0.3),
            createFilledPathSvg('M-110 20Q-130 -60 -40 -64L70 -50Q120 -40 110 20Q0 40 -110 20Z', '#d9a441'),
            createFilledPathSvg('M-20 -60Q-10 -110 34 -96Q40 -70 20 -56Z', '#c48f34'),
            createRectSvg(70, -60, 60, 86, '#b8543c', 1, 10),
          ],
          1.1,
          -6,
        ),
        place(
          1150,
          1350,
          [
            createFilledPathSvg('M-110 20Q-130 -60 -40 -64L70 -50Q120 -40 110 20Q0 40 -110 20Z', '#cf983a'),
            createRectSvg(70, -60, 60, 86, '#a84a34', 1, 10),
          ],
          1,
          10,
        ),
        // The next SVG shapes draw the small bowl that was taken out of the kiln first.
        createEllipseSvg(640, 1350, 90, 14, '#2b1a12', 0.35),
        createBowlSvg(630, 1346, 170, 100, '#a3684a', '#efe0c4', '#f7eeda'),
      ]
    },
  },
} satisfies Record<string, DemoSceneDefinition>
