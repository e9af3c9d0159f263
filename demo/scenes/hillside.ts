import {
  applySvgBlurFilter,
  createCloudSvg,
  createEllipseSvg,
  createFilledPathSvg,
  createFoliageSvg,
  createGlowSvg,
  createHillsSvg,
  createRectSvg,
  createRepeatedSvg,
  createSkySvg,
  createStrokedPathSvg,
  type DemoSceneDefinition,
  evergreenShades,
  mapNumbers,
  type NestedSvgMarkup,
  place,
} from '../svg.ts'

export const hillsideScenes = {
  steps: {
    width: 800,
    height: 1600,
    alt: { en: 'Stone steps up to the shrine, between cedars', ja: '杉並木のあいだを神社へのぼる石段' },
    draw: (r, { season, leaf, hour }) => {
      const light = hour === 'gold' ? '#ffe2a6' : '#f3f1d6'
      const half = (y: number) => 66 + ((y - 640) / 960) * 250
      return [
        createSkySvg(
          800,
          900,
          hour === 'gold' ? ['#c9c394', '#f1dca8', '#fff1cc'] : ['#9dbbae', '#cfdcc6', '#f1efd8'],
        ),
        createRepeatedSvg(12, (i) => createRectSvg(i * 70 + r(-20, 20), 0, r(20, 34), 800, '#a7bcae', 0.6)),
        [0, 1, 2, 3].map((i) =>
          createFoliageSvg(r, r(0, 800), 120 + i * 150, 170, 90, ['#7fa08c', '#93b09a', '#b2c7ae'], 9),
        ),
        createGlowSvg(400, 520, 420, light, 0.95),
        createRectSvg(0, 640, 800, 960, '#41584a'),
        createHillsSvg(r, 800, 700, 40, 1600, '#4d6651', 3),
        // The next SVG shapes draw the red gate of the shrine.
        place(400, 640, [
          [-96, 96].map((x) =>
            createFilledPathSvg(
              `M${x - 15 - x * 0.06} 0H${x + 15 - x * 0.06}L${x + 12 - x * 0.16} -250H${x - 12 - x * 0.16}Z`,
              '#b9432c',
            ),
          ),
          createRectSvg(-110, -200, 220, 20, '#b9432c'),
          createRectSvg(-13, -246, 26, 50, '#a03a27'),
          createFilledPathSvg('M-168 -282Q0 -252 168 -282L162 -246Q0 -224 -162 -246Z', '#c94f33'),
          createFilledPathSvg('M-178 -296Q0 -262 178 -296L174 -276Q0 -246 -174 -276Z', '#33302c'),
          createStrokedPathSvg('M-84 -172Q-40 -132 0 -164T84 -172', '#e6d3a0', 10),
          [-48, 0, 48].map((x) =>
            createFilledPathSvg(`M${x - 8} -158h16v14l-8 8l8 8v18l-14 -16l6 -8l-8 -6Z`, '#fbf6e6'),
          ),
        ]),
        createRepeatedSvg(22, (i) => {
          const y = 640 + (i / 22) ** 1.45 * 960
          const next = 640 + ((i + 1) / 22) ** 1.45 * 960
          const [a, b] = [half(y), half(next)]
          return [
            createFilledPathSvg(`M${400 - a} ${y}H${400 + a}L${400 + b} ${next + 1}H${400 - b}Z`, '#7d8277'),
            createFilledPathSvg(
              `M${400 - a} ${y}H${400 + a}L${400 + a * 1.02} ${y + (next - y) * 0.42}H${400 - a * 1.02}Z`,
              i % 2 ? '#b7b9a9' : '#adb0a1',
            ),
            createFilledPathSvg(
              `M${400 - a * 0.3} ${y}H${400 + a * 0.5}L${400 + a * 0.56} ${y + (next - y) * 0.42}H${400 - a * 0.3}Z`,
              light,
              0.35,
            ),
            createStrokedPathSvg(`M${400 + a * r(-0.8, 0.8)} ${y + (next - y) * 0.5}V${next}`, '#5e6459', 2),
          ]
        }),
        [-1, 1].map((side) => [
          createRepeatedSvg(34, () => {
            const y = r(700, 1600)
            return createFoliageSvg(
              r,
              400 + side * (half(y) + r(10, 60)),
              y,
              r(30, 60) * (y / 1000),
              r(14, 26) * (y / 1000),
              ['#2c4a3b', '#47694f', '#7c9a64'],
              7,
            )
          }),
        ]),
        // The next SVG shapes draw the lanterns beside the steps.
        mapNumbers('-1 860 0.7, 1 860 0.7, -1 1230 1.25, 1 1230 1.25', (side, y, size) =>
          place(
            400 + side * (half(y) + 44 * size),
            y,
            [
              createRectSvg(-26, -16, 52, 18, '#7d8277'),
              createRectSvg(-12, -94, 24, 80, '#9a9e92'),
              createRectSvg(-34, -108, 68, 16, '#83887c'),
              createRectSvg(-26, -152, 52, 46, '#a4a89b'),
              createRectSvg(-13, -144, 26, 32, '#ffdd94'),
              createFilledPathSvg('M-58 -148Q-26 -160 -12 -186H12Q26 -160 58 -148Z', '#6d7268'),
              season === 'winter'
                ? createFilledPathSvg(
                    'M-58 -150Q-26 -162 -12 -188H12Q26 -162 58 -150Q20 -158 -58 -150Z',
                    '#fff',
                  )
                : createFilledPathSvg('M-50 -152Q-26 -162 -14 -184H0Q-12 -158 -50 -152Z', '#7c9a64'),
            ],
            size,
          ),
        ),
        // The next SVG shapes draw the cedars on both sides of the steps.
        mapNumbers('80 900 84, 730 940 92, -10 1240 150, 806 1330 160', (x, ground, w) => [
          createFilledPathSvg(
            `M${x - w * 0.7} ${ground}Q${x - w * 0.42} ${ground - 160} ${x - w * 0.4} -20H${x + w * 0.4}Q${x + w * 0.42} ${ground - 160} ${x + w * 0.75} ${ground}Z`,
            '#5b4234',
          ),
          createFilledPathSvg(
            `M${x - w * 0.1} ${ground}Q${x} ${ground - 160} ${x + w * 0.1} -20H${x + w * 0.4}Q${x + w * 0.42} ${ground - 160} ${x + w * 0.75} ${ground}Z`,
            '#46322a',
          ),
          createRepeatedSvg(9, () =>
            createStrokedPathSvg(
              `M${x + r(-0.36, 0.36) * w} ${r(0, ground - 300)}v${r(80, 220)}`,
              '#3a2a24',
              4,
              0.6,
            ),
          ),
        ]),
        mapNumbers('70 900 60, 745 945 64, -6 1250 110, 790 1345 120', (x, y, w) =>
          createFoliageSvg(r, x, y, w, w * 0.4, ['#2c4a3b', '#47694f', '#7c9a64'], 10),
        ),
        mapNumbers('60 120, 700 90, 250 20, 560 0', (x, y) =>
          createFoliageSvg(r, x, y, 200, 90, evergreenShades, 12),
        ),
        createFoliageSvg(r, 770, 420, 120, 70, leaf, 10),
        createFoliageSvg(r, 20, 560, 130, 70, leaf, 10),
        applySvgBlurFilter(
          [
            createFilledPathSvg('M330 -40L560 -40L380 1200H120Z', light, 0.22),
            createFilledPathSvg('M600 -40H700L640 1100H520Z', light, 0.18),
          ],
          18,
        ),
        createRepeatedSvg(40, () =>
          place(
            r(60, 740),
            r(620, 1560),
            createEllipseSvg(0, 0, r(6, 13), r(3, 6), season === 'winter' ? '#ffffff' : r.pick(leaf), 0.9),
            1,
            r(-40, 40),
          ),
        ),
      ]
    },
  },

  persimmon: {
    width: 1400,
    height: 1400,
    alt: { en: 'Ripe persimmons above the roof tiles', ja: '瓦屋根の上の、熟した柿' },
    draw: (r, { sky: air, far, cloud: white }) => {
      const fruit = (x: number, y: number, size: number): NestedSvgMarkup =>
        place(
          x,
          y,
          [
            createEllipseSvg(0, 0, 62, 56, '#d2591f'),
            createEllipseSvg(-6, -4, 54, 47, '#e57a2c'),
            createEllipseSvg(-20, -18, 24, 17, '#f6a657', 0.9),
            createFilledPathSvg(
              'M0 -50Q-34 -62 -46 -40Q-20 -44 -10 -34Q-6 -24 0 -20Q8 -28 14 -34Q28 -44 46 -40Q34 -62 0 -50Z',
              '#5f7340',
            ),
            createStrokedPathSvg('M0 -50V-66', '#4f3826', 8),
          ],
          size,
          r(-14, 14),
        )
      const leafy = (x: number, y: number, size: number, turn: number): NestedSvgMarkup => {
        const tone = r.pick(['#b5572a', '#cf7c33', '#8d7a36', '#6e8044', '#c9983f'])
        return place(
          x,
          y,
          [
            createFilledPathSvg('M0 0C40 -50 110 -44 150 0C110 44 40 50 0 0Z', tone),
            createFilledPathSvg('M0 0C40 50 110 44 150 0Z', '#2b1a0d', 0.13),
            createStrokedPathSvg('M4 0H136', '#fbe7c0', 3, 0.5),
          ],
          size,
          turn,
        )
      }
      return [
        createSkySvg(1400, 1400, air),
        createCloudSvg(160, 330, 330, white),
        createCloudSvg(920, 200, 280, white, 0.8),
        createHillsSvg(r, 1400, 900, 60, 1400, far[2], 3),
        createHillsSvg(r, 1400, 980, 40, 1400, far[1], 5),
        // The next SVG shapes draw the tiled roof in the foreground.
        createFilledPathSvg('M-20 1400V1170L560 1040L1420 1150V1400Z', '#4c565e'),
        createRepeatedSvg(7, (row) =>
          createRepeatedSvg(18, (i) => {
            const [x, y] = [
              i * 86 - 60 + (row % 2) * 43,
              1128 + row * 46 - 90 * Math.max(0, 1 - Math.abs(i - 7 + row * 0.3) / 8),
            ]
            return [
              createFilledPathSvg(
                `M${x} ${y}h86v34q-43 40 -86 0Z`,
                ['#5b666f', '#66727b', '#535e67'][(i * 2 + row) % 3]!,
              ),
              createStrokedPathSvg(`M${x} ${y + 34}q43 40 86 0`, '#3b444b', 5),
            ]
          }),
        ),
        // The next SVG shapes draw the persimmon tree.
        createStrokedPathSvg(
          'M1440 980C1240 900 1120 760 960 700S640 640 420 470S200 360 120 330',
          '#4f3826',
          34,
        ),
        createStrokedPathSvg('M1440 1000C1240 920 1120 780 960 716', '#3d2a1c', 14, 0.6),
        createStrokedPathSvg(
          'M1000 716C960 560 900 440 840 330M700 640C640 700 560 760 470 790M460 500C470 400 450 320 420 240M1180 820C1220 700 1260 600 1270 480',
          '#4f3826',
          17,
        ),
        createRepeatedSvg(16, () => {
          const [x, y] = r.pick([
            [840, 340],
            [900, 460],
            [430, 270],
            [480, 780],
            [1270, 500],
            [300, 400],
            [600, 590],
            [150, 340],
            [1200, 720],
            [1000, 700],
          ] as const)
          return leafy(x + r(-20, 20), y + r(-20, 20), r(0.6, 1.05), r(-200, 60))
        }),
        mapNumbers(
          '840 420 1.4, 952 560 1.1, 424 330 1.25, 330 500 1.3, 560 680 1.45, 470 862 1.2, 720 760 1.15, 1262 580 1.3, 1160 870 1.25, 160 416 1',
          (x, y, size) => fruit(x + r(-16, 16), y + r(-10, 16), size),
        ),
        createRepeatedSvg(9, () => {
          const [x, y] = r.pick([
            [850, 320],
            [430, 250],
            [580, 590],
            [1270, 480],
            [960, 690],
            [280, 400],
          ] as const)
          return leafy(x + r(-30, 30), y + r(-20, 20), r(0.5, 0.8), r(-170, 30))
        }),
        // The next SVG shapes draw a white-eye, which is a small green bird.
        place(
          1010,
          668,
          [
            createFilledPathSvg('M-150 50L-70 4L-64 34Z', '#5f7a3a'),
            createFilledPathSvg('M-84 30Q-70 -46 10 -50Q70 -50 74 0Q70 44 0 50Q-60 52 -84 30Z', '#8aa851'),
            createFilledPathSvg('M-40 48Q20 56 60 26Q40 60 -10 60Z', '#f2ead2'),
            createFilledPathSvg('M-90 34Q-40 -20 24 4Q0 40 -90 34Z', '#6f8c40'),
            createEllipseSvg(44, -22, 15, 15, '#fffdf4'),
            createEllipseSvg(46, -22, 8, 8, '#221d18'),
            createFilledPathSvg('M70 -18L104 -8L70 0Z', '#3a342c'),
            createStrokedPathSvg('M-6 52v20M18 50v20', '#5c4634', 5),
          ],
          0.9,
        ),
      ]
    },
  },
} satisfies Record<string, DemoSceneDefinition>
