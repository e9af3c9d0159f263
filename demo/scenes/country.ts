import { createHouseSvg, personFromBehind } from '../scene-objects.ts'
import {
  applySvgClipPath,
  createCloudSvg,
  createEllipseOutlineSvg,
  createEllipseSvg,
  createFilledPathSvg,
  createFoliageSvg,
  createGrassBladesSvg,
  createHillsSvg,
  createMountainSvg,
  createRectSvg,
  createRepeatedSvg,
  createSkySvg,
  createStrokedPathSvg,
  createTreeSvg,
  type DemoSceneDefinition,
  evergreenShades,
  mapNumbers,
  type NestedSvgMarkup,
  place,
  type SvgPoint,
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
        createSkySvg(1800, 400, air),
        createCloudSvg(260, 110, 230, white),
        createCloudSvg(1330, 80, 280, white),
        createCloudSvg(1560, 170, 160, white, 0.6),
        createMountainSvg(r, 960, 66, 350, 620, [far[0], far[1], '#fbfaf4']),
        createHillsSvg(r, 1800, 300, 30, 420, far[0], 6),
        createHillsSvg(r, 1800, 338, 20, 420, evergreenShades[1], 9),
        createRepeatedSvg(30, () =>
          createFoliageSvg(
            r,
            r(0, 1800),
            r(350, 366),
            r(22, 40),
            r(14, 24),
            r() < 0.4 ? leaf : evergreenShades,
            7,
          ),
        ),
        createHillsSvg(r, 1800, 368, 6, 420, grass[0], 6),
        mapNumbers('330 388 130, 500 384 90, 1290 390 150, 1480 384 96', (x, y, w, i) =>
          createHouseSvg(x, y, w, i % 2 ? '#5d6a72' : '#7a5a45'),
        ),
        createRectSvg(0, 376, 1800, 230, grass[1]),
        // The next SVG shapes draw four rows of rice fields; the nearer ones are wider.
        mapNumbers('380 410, 416 452, 459 512, 521 620', (top, low, row) =>
          createRepeatedSvg(8, (i) => {
            const [a, b] = [-700 + i * 420 + row * 70, -700 + i * 420 + 400 + row * 70]
            const d = `M${spot(a, top)} ${top}H${spot(b, top)}L${spot(b, low)} ${low}H${spot(a, low)}Z`
            return [
              createFilledPathSvg(d, rice[(i + row) % 3]!),
              applySvgClipPath(`p${row}-${i}`, d, [
                season === 'spring'
                  ? createFilledPathSvg(
                      `M${spot(a, low)} ${low}L${spot(a + 200, top)} ${top}H${spot(b, top)}Z`,
                      '#eaf2ec',
                      0.4,
                    )
                  : '',
                createRepeatedSvg(7, (n) =>
                  createRectSvg(
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
        // The next SVG shapes draw sheaves of rice that hang to dry, a road, and a person who walks home.
        season === 'autumn' || season === 'winter'
          ? [220, 1220].map((x, i) =>
              place(
                x,
                500 + i * 16,
                [
                  createStrokedPathSvg(
                    'M-130 0L-118 -74M-106 0L-118 -74M118 0L130 -74M142 0L130 -74',
                    '#6b4a30',
                    7,
                  ),
                  createStrokedPathSvg('M-134 -66H146', '#6b4a30', 8),
                  createRepeatedSvg(17, (n) =>
                    createFilledPathSvg(
                      `M${-126 + n * 16} -66q8 -8 16 0l3 50q-11 12 -22 0Z`,
                      n % 2 ? '#c4974a' : '#dab365',
                    ),
                  ),
                ],
                1 + i * 0.2,
              ),
            )
          : '',
        createGrassBladesSvg(
          r,
          150,
          0,
          560,
          1800,
          60,
          46,
          season === 'winter' ? ['#b59f70', '#cdbb8e'] : [rice[0]!, rice[2]!, grass[0]],
        ),
        createFilledPathSvg('M1010 376Q1000 430 900 480T760 620H940Q990 540 1040 480T1024 376Z', '#e3d4b0'),
        createStrokedPathSvg('M1017 380Q1010 440 960 490T870 600', '#cdb98c', 4),
        place(
          892,
          560,
          [
            createEllipseOutlineSvg(-24, -20, 21, 21, '#38342f', 5),
            createEllipseOutlineSvg(36, -20, 21, 21, '#38342f', 5),
            createStrokedPathSvg('M-24 -20L0 -54L24 -54L36 -20M0 -54L6 -20L-24 -20', '#b8452f', 5),
            createStrokedPathSvg('M24 -54l-4 -14h12', '#38342f', 4),
            createFilledPathSvg('M-14 -62Q-18 -112 4 -114Q22 -110 16 -62Z', '#3e5d86'),
            createStrokedPathSvg('M8 -100L26 -72', '#3e5d86', 9),
            createEllipseSvg(6, -126, 12, 13, '#dba983'),
            createFilledPathSvg('M-20 -126Q4 -152 30 -126Z', '#e3c178'),
          ],
          0.9,
        ),
        createRepeatedSvg(5, (i) =>
          createStrokedPathSvg(`M${560 + i * 46} ${150 - i * 9}q9 -11 16 0q8 -11 17 0`, '#5a5652', 3),
        ),
      ]
    },
  },

  kites: {
    width: 1600,
    height: 1067,
    alt: { en: 'Kites over the river bank', ja: '土手の上をあがる凧' },
    draw: (r, { sky: air, far, grass, leaf, cloud: white }) => {
      const face = (kind: number): NestedSvgMarkup =>
        [
          [
            createRectSvg(-70, -90, 140, 180, '#f4ead2'),
            createFilledPathSvg('M-56 -8Q-20 -56 34 -12L58 -40L52 4L58 40L34 14Q-20 56 -56 -8Z', '#c1452f'),
            createEllipseSvg(-28, -12, 7, 7, '#f4ead2'),
            createStrokedPathSvg('M-4 -24Q8 0 -4 22M14 -20Q24 2 14 18', '#f4ead2', 5),
            createRectSvg(-70, -90, 140, 16, '#2f4a6d'),
            createRectSvg(-70, 74, 140, 16, '#2f4a6d'),
          ],
          [
            createFilledPathSvg('M0 -100L76 -10L0 110L-76 -10Z', '#d9a441'),
            createFilledPathSvg('M0 -100L76 -10L0 -10Z', '#c1452f'),
            createFilledPathSvg('M0 110L-76 -10H0Z', '#c1452f'),
          ],
          [
            createFilledPathSvg('M-56 -96H56L86 0L56 96H-56L-86 0Z', '#f4ead2'),
            createFilledPathSvg('M-56 96L-70 48Q0 0 70 48L56 96Z', '#2f5d4e'),
            createFilledPathSvg('M-70 -46Q0 -90 70 -46L56 -96H-56Z', '#5d86a8'),
            createEllipseSvg(-26, -18, 10, 14, '#2b2622'),
            createEllipseSvg(26, -18, 10, 14, '#2b2622'),
          ],
          [
            createFilledPathSvg('M0 -100L76 -10L0 110L-76 -10Z', '#5d86a8'),
            createFilledPathSvg('M0 -100L-76 -10H76Z', '#f4ead2'),
            createEllipseSvg(0, 10, 26, 26, '#d9662f'),
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
      ): NestedSvgMarkup => [
        createStrokedPathSvg(
          `M${x} ${y}Q${(x + hand[0]) / 2 + 50} ${(y + hand[1]) / 2 + 120} ${hand[0]} ${hand[1]}`,
          '#fffaf0',
          2.5,
          0.85,
        ),
        place(
          x,
          y,
          [
            [-1, 1].map((side) =>
              createStrokedPathSvg(
                `M${side * 26} 80C${side * 70} 160 ${side * -20} 220 ${side * 40} 320S${side * 10} 420 ${side * 50} 470`,
                side > 0 ? '#d9662f' : '#f4ead2',
                11,
              ),
            ),
            face(kind),
            createStrokedPathSvg('M-2 -90V92', '#6b4a30', 4, 0.45),
          ],
          size,
          turn,
        ),
      ]
      return [
        createSkySvg(1600, 900, air),
        createCloudSvg(120, 200, 320, white),
        createCloudSvg(1080, 130, 380, white),
        createCloudSvg(640, 430, 240, white, 0.65),
        createCloudSvg(1320, 440, 220, white, 0.6),
        createHillsSvg(r, 1600, 720, 44, 900, far[2], 4),
        createHillsSvg(r, 1600, 762, 26, 900, far[1], 6),
        createRepeatedSvg(14, () =>
          createHouseSvg(r(-40, 1560), r(800, 812), r(70, 110), r.pick(['#6b7780', '#7d6754', '#5d6a72'])),
        ),
        createRectSvg(0, 806, 1600, 60, '#a9c6cc'),
        createRepeatedSvg(24, () => createRectSvg(r(0, 1600), r(812, 856), r(40, 120), 4, '#eef5f2', 0.6, 2)),
        createFilledPathSvg('M-20 1067V870Q300 800 700 850T1620 830V1067Z', grass[1]),
        createFilledPathSvg('M-20 1067V930Q400 850 900 910T1620 900V1067Z', grass[2]),
        createFilledPathSvg('M-20 1067V1010Q500 940 1000 980T1620 990V1067Z', grass[1]),
        createTreeSvg(r, 1470, 880, 330, leaf),
        createTreeSvg(r, 1330, 880, 220, evergreenShades),
        kite(r(330, 470), r(190, 270), 1.15, r(-20, -8), kinds[0]!, [536, 850]),
        kite(r(800, 920), r(270, 390), 1, r(6, 18), kinds[1]!, [748, 868]),
        kite(r(1120, 1240), r(180, 290), 1.1, r(2, 14), kinds[2]!, [996, 838]),
        kite(r(620, 740), r(130, 180), 0.6, r(-12, 4), kinds[3]!, [1110, 880]),
        personFromBehind(500, 960, 180, '#b8543c', '#2b2622'),
        createStrokedPathSvg('M522 862L538 846', '#b8543c', 13),
        personFromBehind(722, 966, 140, '#d9a441', '#3a2a22'),
        createStrokedPathSvg('M738 884L750 868', '#d9a441', 11),
        personFromBehind(1030, 950, 200, '#3e5d86', '#6d6a66'),
        personFromBehind(1110, 956, 120, '#f1e6cf', '#2b2622', '#7d4a3c'),
        createStrokedPathSvg('M1010 860L994 836', '#3e5d86', 14),
        place(880, 1000, [
          createEllipseSvg(0, 4, 62, 9, '#2b2622', 0.2),
          createEllipseSvg(0, -28, 42, 22, '#e8dcc4'),
          createEllipseSvg(44, -46, 20, 17, '#e8dcc4'),
          createFilledPathSvg('M34 -62Q22 -60 24 -34Q38 -30 42 -58Z', '#b98f5e'),
          createEllipseSvg(64, -42, 4, 4, '#2b2622'),
          createStrokedPathSvg('M-28 -12V2M-14 -10V2M18 -10V2M30 -12V2', '#e8dcc4', 9),
          createStrokedPathSvg('M-40 -34Q-62 -50 -54 -68Q-44 -70 -44 -58', '#e8dcc4', 10),
          createEllipseSvg(52, -50, 3, 3, '#2b2622'),
        ]),
        createGrassBladesSvg(r, 170, 0, 1000, 1600, 80, 44, [grass[0], grass[2], leaf[2]]),
      ]
    },
  },
} satisfies Record<string, DemoSceneDefinition>
