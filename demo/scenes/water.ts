import { personFromBehind } from '../scene-objects.ts'
import {
  applySvgBlurFilter,
  createCloudSvg,
  createEllipseSvg,
  createFilledPathSvg,
  createGlowSvg,
  createGrassBladesSvg,
  createHillsSvg,
  createRectSvg,
  createRepeatedSvg,
  createSkySvg,
  createStrokedPathSvg,
  type DemoSceneDefinition,
  mapNumbers,
  type NestedSvgMarkup,
  place,
  type SvgPoint,
  toSmoothSvgPath,
  verticalGradient,
} from '../svg.ts'
import { demoFerrySvg } from './ferry.ts'

const across = Array.from({ length: 14 }, (_, i) => 60 + i * 114)

export const waterScenes = {
  river: {
    width: 1600,
    height: 900,
    alt: { en: 'The bridge over the river at dusk', ja: '夕暮れの川と橋' },
    draw: (r, { hour }) => {
      const [air, land, water] =
        hour === 'mist'
          ? [
              ['#6f8fae', '#b9c3c6', '#f2d9b4', '#f7e6c4'],
              ['#8d9db0', '#6b7f95', '#4a5c74'],
              ['#efd9b6', '#8fa3b1', '#4f6580'],
            ]
          : [
              ['#3f4f7d', '#8a6f97', '#e09a80', '#f8cf95'],
              ['#75648c', '#544f78', '#363a5c'],
              ['#f2b887', '#a0718a', '#3a4069'],
            ]
      const stroll = r(-60, 120)
      const deck = (x: number) => 462 - 96 * Math.sin((Math.PI * (x - 150)) / 1300)
      return [
        createSkySvg(1600, 560, air),
        createGlowSvg(668, 420, 460, '#fff0c0', 0.8),
        createEllipseSvg(668, 428, 56, 56, '#fff4d2'),
        mapNumbers('180 130 260, 640 210 190, 1240 150 240', (x, y, w) =>
          createCloudSvg(x + r(-60, 60), y, w, '#fbdcb8', 0.5),
        ),
        createHillsSvg(r, 1600, 430, 30, 560, land[0]!, 4),
        createHillsSvg(r, 1600, 474, 18, 560, land[1]!, 6),
        createRepeatedSvg(26, () => {
          const [x, y] = [r(20, 1580), r(486, 520)]
          return [
            createRectSvg(x, y, r(22, 44), 44, land[2]!),
            r() < 0.6 ? createRectSvg(x + 6, y + 12, 8, 9, '#ffd98c') : '',
            createFilledPathSvg(`M${x - 6} ${y}h50l-12 -14h-26z`, '#2b2d4b'),
          ]
        }),
        createHillsSvg(r, 1600, 512, 8, 570, land[2]!, 9),
        verticalGradient('water', ...water),
        createRectSvg(0, 540, 1600, 360, 'url(#water)'),
        createFilledPathSvg('M630 545H706L770 900H566Z', '#fff2c9', 0.2),
        createRepeatedSvg(70, () => {
          const [y, x] = [r(548, 880), r(-100, 1600)]
          return createRectSvg(
            x,
            y,
            r(40, 70) * (y / 560),
            2 + (y - 540) / 90,
            r.pick(['#ffe3b0', land[1]!, '#fff4d6', land[0]!]),
            r(0.15, 0.5),
            3,
          )
        }),
        createRepeatedSvg(14, (i) =>
          createRectSvg(668 - 60 + r(-30, 30), 556 + i * 22, r(60, 130), 5, '#fff4d2', 0.6, 2),
        ),
        // The next SVG shapes draw the bridge and its reflection in the water.
        createRepeatedSvg(5, (i) => {
          const x = 280 + i * 260
          return [
            createRectSvg(x - 14, deck(x), 28, 590 - deck(x), '#2b2138'),
            createRectSvg(x - 24, 575, 48, 22, '#2b2138', 1, 4),
            createRectSvg(x - 14, 597, 28, 130, '#2b2138', 0.25),
          ]
        }),
        createStrokedPathSvg(toSmoothSvgPath(across.map((x): SvgPoint => [x, deck(x) + 8])), '#33263f', 30),
        createStrokedPathSvg(toSmoothSvgPath(across.map((x): SvgPoint => [x, deck(x) - 52])), '#7c3b3d', 10),
        createStrokedPathSvg(toSmoothSvgPath(across.map((x): SvgPoint => [x, deck(x) - 26])), '#7c3b3d', 6),
        createRepeatedSvg(34, (i) =>
          createRectSvg(150 + i * 39.4 - 3, deck(150 + i * 39.4) - 54, 6, 56, '#7c3b3d'),
        ),
        [170, 1430].map((x) => [
          createRectSvg(x - 11, deck(x) - 96, 22, 120, '#33263f'),
          createEllipseSvg(x, deck(x) - 104, 16, 18, '#ffe1a0'),
          createGlowSvg(x, deck(x) - 104, 90, '#ffd58a'),
        ]),
        [
          [560 + stroll, '#4c4f79', 112],
          [606 + stroll, '#9d4a44', 100],
          [1010 - stroll * 1.4, '#3f5a5c', 108],
        ].map(([x, coat, tall]) =>
          personFromBehind(
            x as number,
            deck(x as number) - 4,
            tall as number,
            coat as string,
            '#1d1a26',
            '#262338',
          ),
        ),
        // The next SVG shapes draw a boat, and reeds in front of it.
        place(r(280, 520), r(660, 760), [
          createFilledPathSvg('M-150 0Q0 26 160 -6Q130 48 90 52H-90Q-130 44 -150 0Z', '#2b2138'),
          createStrokedPathSvg('M-146 2Q0 28 156 -4', '#7c5a4a', 6),
          createRectSvg(-160, 58, 300, 6, '#2b2138', 0.3, 3),
        ]),
        createGrassBladesSvg(r, 80, 1230, 880, 400, 40, 210, ['#221c33', '#2d2440']),
        createRepeatedSvg(16, () => {
          const [x, y] = [r(1240, 1600), r(680, 780)]
          return [
            createStrokedPathSvg(`M${x} 900Q${x + 6} ${y + 80} ${x + r(-10, 30)} ${y}`, '#221c33', 5),
            place(x + 8, y, createFilledPathSvg('M0 0Q26 -40 10 -90Q-22 -46 0 0Z', '#6a4a5c'), 1, r(-10, 30)),
          ]
        }),
        createGrassBladesSvg(r, 26, -20, 890, 200, 30, 130, ['#221c33', '#2d2440']),
      ]
    },
  },

  sea: {
    width: 1800,
    height: 600,
    alt: {
      en: 'The ferry between the islands, seen from the harbour wall',
      ja: '防波堤から見た、島のあいだを行くフェリー',
    },
    draw: (r, { sky: air, far, cloud: white, sun, hour }) => {
      const water =
        hour === 'gold'
          ? ['#f3cf9f', '#b08f97', '#5b6786']
          : hour === 'mist'
            ? ['#d9e2dd', '#a9c1c4', '#7d9ca5']
            : ['#a9cfd0', '#5f9dab', '#2f6d84']
      return [
        createSkySvg(1800, 330, air),
        createGlowSvg(520, 210, 320, sun, 0.8),
        createCloudSvg(200, 90, 260, white),
        createCloudSvg(1240, 70, 300, white, 0.8),
        createCloudSvg(820, 140, 170, white, 0.6),
        createFilledPathSvg('M-20 330Q120 236 260 268T520 330Z', far[2]),
        createFilledPathSvg('M1180 330Q1330 214 1470 250T1840 330Z', far[2]),
        createFilledPathSvg('M330 330Q470 250 560 262Q640 216 720 272Q800 292 850 330Z', far[1]),
        createFilledPathSvg('M1420 330Q1500 266 1590 280Q1660 246 1740 290L1820 330Z', far[0]),
        verticalGradient('water', ...water),
        createRectSvg(0, 326, 1800, 274, 'url(#water)'),
        createRepeatedSvg(110, () => {
          const y = 332 + r() ** 1.6 * 250
          return createRectSvg(
            r(-80, 1800),
            y,
            r(24, 50) * (0.5 + (y - 320) / 120),
            1.5 + (y - 320) / 70,
            r() < 0.6 ? '#ffffff' : water[2]!,
            r(0.12, 0.42),
            3,
          )
        }),
        createRepeatedSvg(12, (i) =>
          createRectSvg(520 - 40 + r(-30, 30), 334 + i * 18, r(40, 90), 4, '#fff7e0', 0.65, 2),
        ),
        place(930, 392, demoFerrySvg),
        mapNumbers('640 200 30, 720 160 22, 1180 210 34, 1110 150 20, 400 130 20', (x, y, s) =>
          createStrokedPathSvg(
            `M${x - s} ${y}q${s * 0.55} ${-s * 0.6} ${s} 0q${s * 0.5} ${-s * 0.6} ${s} 0`,
            '#f9f6ee',
            5,
          ),
        ),
        // The next SVG shapes draw the harbour wall.
        createFilledPathSvg('M0 520H700L860 548V600H0Z', '#8f8d86'),
        createFilledPathSvg('M0 496H660L860 540L840 552H0Z', '#b9b6ab'),
        createRepeatedSvg(7, (i) => createStrokedPathSvg(`M${90 + i * 110} 552V600`, '#77756e', 4)),
        [250, 610].map((x) => [
          createRectSvg(x - 15, 470, 30, 32, '#4f4d49', 1, 5),
          createRectSvg(x - 23, 462, 46, 14, '#5d5b56', 1, 6),
        ]),
        personFromBehind(430, 512, 150, '#d9a441', '#6b4a30'),
        personFromBehind(500, 512, 108, '#b8543c', '#2b2622'),
        createStrokedPathSvg('M456 430Q560 330 700 352', '#5c4634', 4),
        createStrokedPathSvg('M700 352Q716 430 712 560', '#fffaf0', 1.5),
        createRectSvg(330, 480, 46, 34, '#3f6f8a', 1, 5),
        createStrokedPathSvg('M332 482Q353 452 374 482', '#dcd8cc', 4),
      ]
    },
  },

  fireworks: {
    width: 1200,
    height: 1600,
    alt: { en: 'Fireworks over the river, with people watching', ja: '川の上の花火と、見上げる人たち' },
    draw: (r) => {
      const burst = (x: number, y: number, size: number, colours: readonly string[]): NestedSvgMarkup => [
        createGlowSvg(x, y, size * 1.25, colours[0]!, 0.4),
        [1, 0.72, 0.42].map((ring, layer) =>
          createRepeatedSvg(Math.round(30 - layer * 7), (i) => {
            const turn = (i / Math.round(30 - layer * 7)) * 2 * Math.PI + layer * 0.1
            const [out, droop] = [size * ring * r(0.94, 1.04), size * 0.1 * ring]
            const [ex, ey] = [x + Math.cos(turn) * out, y + Math.sin(turn) * out + droop]
            const colour = colours[layer % colours.length]!
            return [
              createStrokedPathSvg(
                `M${x + Math.cos(turn) * out * 0.5} ${y + Math.sin(turn) * out * 0.5}Q${x + Math.cos(turn) * out * 0.8} ${y + Math.sin(turn) * out * 0.8} ${ex} ${ey}`,
                colour,
                size * 0.013 + 1,
                0.75,
              ),
              createEllipseSvg(ex, ey, size * 0.022 + 1.5, size * 0.022 + 1.5, layer ? colour : '#fff6dc'),
            ]
          }),
        ),
        createEllipseSvg(x, y, size * 0.05, size * 0.05, '#fffbe8'),
      ]
      const dyes = r.some(
        [
          ['#f7b24a', '#f4e3a8', '#e2603a'],
          ['#7fc4d9', '#cfeef2', '#f4f0c0'],
          ['#ef7f8d', '#ffd9cf', '#f7b24a'],
          ['#a9d37f', '#f4f0c0', '#7fc4d9'],
          ['#f4e3a8', '#f7b24a', '#fff3cf'],
        ],
        5,
      )
      const shells: [number, number, number, string[]][] = [
        [600 + r(-70, 70), 470 + r(-50, 50), r(320, 370), dyes[0]!],
        [260 + r(-60, 60), 300 + r(-60, 60), r(160, 210), dyes[1]!],
        [960 + r(-60, 60), 270 + r(-60, 60), r(170, 220), dyes[2]!],
        [980 + r(-60, 60), 700 + r(-50, 50), r(120, 170), dyes[3]!],
        [220 + r(-60, 60), 720 + r(-50, 50), r(110, 160), dyes[4]!],
      ]
      return [
        createSkySvg(1200, 1100, ['#0e1630', '#1b2750', '#3d4672', '#77628a']),
        createRepeatedSvg(90, () =>
          createEllipseSvg(r(0, 1200), r(0, 800), r(0.8, 2.4), r(0.8, 2.4), '#fff', r(0.3, 0.9)),
        ),
        applySvgBlurFilter(
          [
            createEllipseSvg(420, 640, 200, 50, '#8a86a8', 0.35),
            createEllipseSvg(820, 820, 260, 50, '#8a86a8', 0.3),
          ],
          26,
        ),
        shells.map(([x, y, size, colours]) => burst(x, y, size, colours)),
        createStrokedPathSvg(
          `M600 1040Q590 ${shells[0]![1] + 330} ${shells[0]![0]} ${shells[0]![1] + 50}`,
          '#ffdf9a',
          4,
          0.5,
        ),
        createHillsSvg(r, 1200, 1010, 50, 1200, '#232a4c', 4),
        createHillsSvg(r, 1200, 1060, 22, 1200, '#191f3c', 6),
        createRepeatedSvg(40, () => createRectSvg(r(0, 1200), r(1072, 1098), 6, 7, '#ffd27d', r(0.5, 1))),
        verticalGradient('water', '#5a4f7c', '#26305c', '#121a36'),
        createRectSvg(0, 1100, 1200, 500, 'url(#water)'),
        shells.map(([x, , size, colours]) =>
          createRepeatedSvg(22, (i) =>
            createRectSvg(
              x - size * 0.4 + r(-0.3, 0.3) * size,
              1108 + i * 17,
              r(0.2, 0.6) * size,
              4,
              r.pick(colours),
              0.5,
              2,
            ),
          ),
        ),
        createFilledPathSvg('M-20 1600V1400Q300 1340 620 1370T1220 1350V1600Z', '#11172c'),
        createRepeatedSvg(11, (i) => {
          const [x, tall] = [40 + i * 112 + r(-22, 22), i % 4 === 2 ? 170 : r(220, 280)]
          return personFromBehind(
            x,
            1480 + r(0, 70),
            tall,
            r.pick(['#2c3a66', '#4f3558', '#274a52', '#5c3a3c', '#39335c']),
            '#0b0f1e',
            '#10152a',
            '#6b5560',
          )
        }),
        personFromBehind(628, 1560, 330, '#5c3a4c', '#0b0f1e', '#10152a', '#7a5f63'),
        personFromBehind(590, 1350, 120, '#7a4a3e', '#0b0f1e', '#10152a', '#7a5f63'),
        createFilledPathSvg('M-20 1600V1560Q400 1520 700 1548T1220 1530V1600Z', '#090d1c'),
        createGrassBladesSvg(r, 70, 0, 1570, 1200, 30, 60, ['#090d1c', '#141b33']),
      ]
    },
  },
} satisfies Record<string, DemoSceneDefinition>
