import { createHouseSvg, personFromBehind } from '../scene-objects.ts'
import {
  applySvgClipPath,
  applySvgTransform,
  createEllipseOutlineSvg,
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
  type SvgPoint,
  toSmoothSvgPath,
  verticalGradient,
} from '../svg.ts'

export const streetScenes = {
  lanterns: {
    width: 1200,
    height: 1600,
    alt: { en: 'Paper lanterns above the street at night', ja: '夜の通りにつるされた提灯' },
    draw: (r) => {
      const lamp = (x: number, y: number, size: number, red: boolean): NestedSvgMarkup => {
        const [body, edge, core] = red ? ['#e2512f', '#a8321f', '#ffb070'] : ['#fbd08a', '#d99243', '#fff3cf']
        return [
          createGlowSvg(x, y, size * 2.3, red ? '#ff7a45' : '#ffc36b', 0.45),
          createRectSvg(x - size * 0.3, y - size * 0.86, size * 0.6, size * 0.18, '#241a1c', 1, size * 0.05),
          createEllipseSvg(x, y, size * 0.62, size * 0.72, edge),
          createEllipseSvg(x, y, size * 0.56, size * 0.7, body),
          createEllipseSvg(x, y + size * 0.04, size * 0.34, size * 0.5, core, 0.75),
          [-0.42, -0.2, 0.02, 0.24, 0.46].map((dy) =>
            createStrokedPathSvg(
              `M${x - size * 0.6 * Math.sqrt(1 - (dy / 0.72) ** 2)} ${y + dy * size}Q${x} ${y + (dy + 0.09) * size} ${x + size * 0.6 * Math.sqrt(1 - (dy / 0.72) ** 2)} ${y + dy * size}`,
              edge,
              2.5,
              0.7,
            ),
          ),
          createRectSvg(
            x - size * 0.26,
            y + size * 0.66,
            size * 0.52,
            size * 0.16,
            '#241a1c',
            1,
            size * 0.05,
          ),
          createStrokedPathSvg(
            `M${x} ${y + size * 0.82}v${size * 0.3}`,
            red ? '#e2512f' : '#c1452f',
            size * 0.08,
          ),
        ]
      }
      const string = (y: number, sag: number, count: number, size: number, odd: number): NestedSvgMarkup => {
        const at = (x: number) => y + sag * (1 - ((x - 600) / 660) ** 2)
        return [
          createStrokedPathSvg(
            toSmoothSvgPath(
              Array.from({ length: 13 }, (_, i): SvgPoint => [-60 + i * 110, at(-60 + i * 110) - size * 0.9]),
            ),
            '#1a1420',
            4,
          ),
          createRepeatedSvg(count, (i) => {
            const x = ((i + 0.5) / count) * 1200 + r(-8, 8)
            return lamp(x, at(x), size, (i + odd) % 2 === 0)
          }),
        ]
      }
      const shop = (side: number): NestedSvgMarkup =>
        place(
          side > 0 ? 1200 : 0,
          0,
          applySvgTransform(`scale(${-side} 1)`, [
            createFilledPathSvg('M-20 560L300 690V1330L-20 1480Z', '#2c2430'),
            createFilledPathSvg('M-20 520L340 680V724L-20 590Z', '#3b3140'),
            createFilledPathSvg('M20 800L250 850V1240L20 1330Z', '#ffca78'),
            createFilledPathSvg('M20 800L250 850V1240L20 1330Z', '#ef9a4c', 0.35),
            [78, 136, 194].map((x) =>
              createStrokedPathSvg(`M${x} ${812 + x * 0.2}V${1336 - x * 0.38}`, '#4a3230', 7),
            ),
            createStrokedPathSvg('M20 1060L250 1050', '#4a3230', 7),
            [0, 1, 2].map((i) =>
              createFilledPathSvg(
                `M${24 + i * 78} ${796 + i * 17}l70 15v150q-34 10 -70 -4Z`,
                ['#34466e', '#3c5180', '#34466e'][i]!,
              ),
            ),
          ]),
        )
      return [
        createSkySvg(1200, 1100, ['#101a38', '#1f2a52', '#3f3f68', '#7c5a68']),
        createRepeatedSvg(70, () =>
          createEllipseSvg(r(0, 1200), r(0, 520), r(0.8, 2.6), r(0.8, 2.6), '#fff', r(0.3, 0.9)),
        ),
        createEllipseSvg(900, 190, 58, 58, '#fbeecb'),
        createGlowSvg(900, 190, 210, '#fbeecb', 0.3),
        createHillsSvg(r, 1200, 760, 46, 1200, '#2d2f52', 4),
        [330, 470, 620, 750].map((x, i) =>
          createHouseSvg(x, 1010, 150, i % 2 ? '#2a2740' : '#332c45', '#3f3550', true),
        ),
        createGlowSvg(600, 1040, 420, '#ffb765', 0.7),
        createFilledPathSvg('M330 1000H870L1300 1600H-100Z', '#4b3a48'),
        createFilledPathSvg('M470 1000H730L940 1600H260Z', '#7a5548', 0.75),
        string(640, 70, 9, 36, 0),
        string(470, 110, 7, 60, 1),
        [-1, 1].map(shop),
        createRepeatedSvg(13, (i) =>
          personFromBehind(
            410 + ((i * 67) % 400) + r(-14, 14),
            1090 + i * 19,
            116 + i * 9,
            r.pick(['#5c3d52', '#3a4a70', '#6e4038', '#2f5358', '#7a5a38']),
            '#1b141a',
            '#221b28',
            '#a87860',
          ),
        ),
        string(210, 150, 5, 92, 0),
        personFromBehind(300, 1560, 330, '#33406a', '#191318', '#1c1724', '#b07f64'),
        personFromBehind(420, 1560, 210, '#b8543c', '#191318', '#1c1724', '#b07f64'),
        personFromBehind(910, 1590, 350, '#6a4a68', '#191318', '#1c1724', '#b07f64'),
        mapNumbers('366 1450 30, 840 1480 34', (x, y, size) => lamp(x, y, size, true)),
        createRectSvg(0, 0, 1200, 1600, '#ff9a4d', 0.05),
      ]
    },
  },

  umbrella: {
    width: 800,
    height: 1600,
    alt: { en: 'A red umbrella left open in a wet lane', ja: '雨の路地に開いたまま置かれた赤い傘' },
    draw: (r, { leaf }) => {
      const canopy = (opacity = 1): NestedSvgMarkup => {
        const rim = (n: number): [number, number] => [
          Math.cos((n / 12) * 2 * Math.PI) * 262,
          Math.sin((n / 12) * 2 * Math.PI) * 222,
        ]
        return [
          `<g opacity="${opacity}">`,
          createRepeatedSvg(12, (i) => {
            const [[ax, ay], [bx, by], [mx, my]] = [rim(i), rim(i + 1), rim(i + 0.5)]
            return createFilledPathSvg(
              `M-46 -40L${ax} ${ay}Q${mx * 0.97} ${my * 0.97} ${bx} ${by}Z`,
              ['#b23524', '#c4412c', '#d4543a', '#dd6446', '#d4543a', '#c4412c'][(i + 10) % 6]!,
            )
          }),
          applySvgClipPath(
            `rim${opacity}`,
            `M${rim(0)}${Array.from({ length: 12 }, (_, i) => `Q${rim(i + 0.5).map((n) => n * 0.97)} ${rim(i + 1)}`).join('')}`,
            [
              createEllipseOutlineSvg(-10, -9, 206, 174, '#f6e7cd', 30, 0.92),
              createRepeatedSvg(12, (i) =>
                createStrokedPathSvg(`M-46 -40L${rim(i)[0]} ${rim(i)[1]}`, '#7d2216', 3, 0.5),
              ),
            ],
          ),
          createEllipseSvg(-46, -40, 22, 18, '#3a2a22'),
          '</g>',
        ]
      }
      return [
        createSkySvg(800, 700, ['#9aa9b0', '#c3ccca', '#e3e1d3']),
        createHillsSvg(r, 800, 420, 30, 700, '#a5b4b3', 3),
        [330, 420, 480].map((x) => createFoliageSvg(r, x, 480, 90, 80, evergreenShades, 9)),
        createFilledPathSvg('M300 640L350 420H470L500 640Z', '#8d9590'),
        createFilledPathSvg('M318 450L410 360L506 450Z', '#5d6a72'),
        // The next SVG shapes draw the wet lane.
        verticalGradient('wet', '#a9b2b0', '#7d8889', '#5f6b70'),
        createFilledPathSvg('M330 600H480L960 1600H-160Z', 'url(#wet)'),
        createRepeatedSvg(15, (row) => {
          const y = 620 + (row / 15) ** 1.6 * 980
          const half = 90 + (y - 600) * 0.5
          return [
            createStrokedPathSvg(`M${405 - half} ${y}H${405 + half}`, '#566165', 1 + row * 0.35, 0.55),
            createRepeatedSvg(5, (i) =>
              createStrokedPathSvg(
                `M${405 - half + ((i + (row % 2) * 0.5) / 5) * half * 2} ${y}l${(i - 2.3) * 6} ${22 + row * 5}`,
                '#566165',
                1 + row * 0.3,
                0.45,
              ),
            ),
          ]
        }),
        // The next SVG shapes draw the left side of the street: a wooden wall, a window with light, and short
        // curtains.
        createFilledPathSvg('M-10 -10H230L330 330V640L-10 1420Z', '#5b4536'),
        createRepeatedSvg(9, (i) =>
          createStrokedPathSvg(`M${i * 40} ${-10 + i * 16}V${1400 - i * 92}`, '#463428', 5),
        ),
        createFilledPathSvg('M20 520L210 530V820L20 960Z', '#ffd58c'),
        createFilledPathSvg('M20 520L210 530V820L20 960Z', '#e8934a', 0.3),
        [60, 100, 140, 178].map((x) => createStrokedPathSvg(`M${x} 524V${946 - x * 0.7}`, '#463428', 7)),
        createStrokedPathSvg('M20 720L210 680', '#463428', 7),
        createGlowSvg(120, 740, 260, '#ffc97a', 0.4),
        createFilledPathSvg('M-10 300L300 400L340 360L230 250L-10 180Z', '#4b555b'),
        createFilledPathSvg('M-10 288L304 394L300 412L-10 322Z', '#39424a'),
        [252, 286].map((x, i) => createFilledPathSvg(`M${x} ${452 + i * 4}h28v112q-14 8 -28 0Z`, '#34466e')),
        // The next SVG shapes draw the right side of the street: a plaster wall, a fence, and a branch above
        // them.
        createFilledPathSvg('M810 -10H560L486 320V640L810 1300Z', '#dcd3bf'),
        createFilledPathSvg('M810 900L486 560V640L810 1300Z', '#8a6a48'),
        createRepeatedSvg(8, (i) =>
          createStrokedPathSvg(`M${500 + i * 44} ${576 + i * 46}V${660 + i * 90}`, '#6b4f34', 8),
        ),
        createFilledPathSvg('M810 240L476 350L470 322L560 220L810 60Z', '#4b555b'),
        createFoliageSvg(r, 700, 330, 170, 110, leaf, 12),
        createFoliageSvg(r, 790, 480, 130, 90, leaf, 12),
        place(640, 1130, [
          createFilledPathSvg('M-70 0L-54 96H54L70 0Z', '#8c6a50'),
          createEllipseSvg(0, 0, 70, 16, '#5c4433'),
          createFoliageSvg(r, 0, -60, 96, 70, ['#3d6650', '#5f8a66', '#9ab77d'], 10),
          createRepeatedSvg(7, () => createEllipseSvg(r(-70, 70), r(-110, -20), 13, 12, '#6f86b8')),
        ]),
        applySvgTransform('translate(410 1420) scale(1 -.55)', canopy(0.38)),
        createEllipseSvg(420, 1250, 250, 34, '#222a2e', 0.4),
        createStrokedPathSvg('M430 1060L640 1250q22 22 40 2', '#6b4a30', 15),
        place(400, 1030, canopy(), 1, -14),
        mapNumbers('200 1400 60, 600 1480 80, 330 1540 70, 130 1240 40, 520 1330 44', (x, y, w) => [
          createEllipseOutlineSvg(x, y, w, w * 0.24, '#dfe7e6', 3, 0.7),
          createEllipseOutlineSvg(x, y, w * 0.5, w * 0.12, '#dfe7e6', 2.5, 0.7),
        ]),
        createRepeatedSvg(150, () => {
          const [x, y, l] = [r(0, 820), r(-40, 1560), r(26, 70)]
          return createStrokedPathSvg(`M${x} ${y}l${-l * 0.16} ${l}`, '#f2f6f6', 2, r(0.2, 0.55))
        }),
      ]
    },
  },
} satisfies Record<string, DemoSceneDefinition>
