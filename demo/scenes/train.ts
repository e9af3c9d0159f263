import {
  applySvgClipPath,
  applySvgTransform,
  createCloudSvg,
  createEllipseOutlineSvg,
  createEllipseSvg,
  createFilledPathSvg,
  createFoliageSvg,
  createHillsSvg,
  createMountainSvg,
  createRectSvg,
  createRepeatedSvg,
  createSkySvg,
  createStrokedPathSvg,
  type DemoSceneDefinition,
  mapNumbers,
  place,
} from '../svg.ts'

export const trainScenes = {
  train: {
    width: 1600,
    height: 1067,
    alt: { en: 'The view from the window of the little local train', ja: '小さなローカル線の車窓' },
    draw: (r, { sky: air, far, leaf, grass, cloud: white, hour, season }) => [
      createRectSvg(0, 0, 1600, 1067, '#d9cfb8'),
      createRectSvg(0, 0, 1600, 120, '#efe7d4'),
      createRectSvg(0, 112, 1600, 10, '#b9ad92'),
      // The next SVG shapes draw two train windows, with one landscape behind both.
      applySvgClipPath(
        'pane',
        'M120 190q0 -30 30 -30H770q30 0 30 30V690q0 30 -30 30H150q-30 0 -30 -30ZM850 190q0 -30 30 -30H1500q30 0 30 30V690q0 30 -30 30H880q-30 0 -30 -30Z',
        [
          createSkySvg(1600, 520, air),
          createCloudSvg(240, 230, 220, white),
          createCloudSvg(1120, 210, 260, white),
          createMountainSvg(r, 560, 260, 470, 420, [far[0], far[1], '#fbfaf4']),
          createHillsSvg(r, 1600, 450, 26, 720, far[1], 6),
          createRectSvg(0, 486, 1600, 60, hour === 'gold' ? '#e8c9a0' : '#8fbcc4'),
          createRepeatedSvg(30, () => createRectSvg(r(0, 1600), r(492, 540), r(30, 90), 4, '#fff', 0.5, 2)),
          place(1280, 500, [
            createFilledPathSvg('M-46 0H46L34 20H-34Z', '#f7f3e8'),
            createFilledPathSvg('M0 -4V-70L40 -8Z', '#f7f3e8'),
            createFilledPathSvg('M-6 -4V-60L-34 -8Z', '#c1452f'),
          ]),
          createHillsSvg(r, 1600, 540, 10, 720, grass[0], 7),
          createRectSvg(0, 556, 1600, 180, grass[1]),
          createRepeatedSvg(9, (i) =>
            createFilledPathSvg(
              `M${i * 220 - 160} 720L${i * 180 + 20} 566H${i * 180 + 170}L${i * 220 + 30} 720Z`,
              season === 'autumn' ? ['#d9b45a', '#c69c45'][i % 2]! : grass[2],
              0.85,
            ),
          ),
          [300, 1000].map((x) => [
            createRectSvg(x, 536, 76, 36, '#efe5d0'),
            createFilledPathSvg(`M${x - 12} 540L${x + 12} 508H${x + 64}L${x + 88} 540Z`, '#5d6a72'),
          ]),
          createRepeatedSvg(5, (i) =>
            createFoliageSvg(r, 160 + i * 330 + r(-60, 60), 590, r(40, 60), r(34, 50), leaf, 9),
          ),
          createRepeatedSvg(5, (i) => [
            createRectSvg(i * 420 + 60, 300, 10, 440, '#5c4a3a'),
            createRectSvg(i * 420 + 30, 320, 70, 8, '#5c4a3a'),
          ]),
          createStrokedPathSvg('M0 330Q230 390 480 330T900 330T1320 330T1740 330', '#5c4a3a', 3),
          createFilledPathSvg('M120 160H420L120 600Z', '#ffffff', 0.14),
          createFilledPathSvg('M850 160H1100L850 520Z', '#ffffff', 0.14),
        ],
      ),
      [
        'M150 160H770q30 0 30 30V690q0 30 -30 30H150q-30 0 -30 -30V190q0 -30 30 -30Z',
        'M880 160H1500q30 0 30 30V690q0 30 -30 30H880q-30 0 -30 -30V190q0 -30 30 -30Z',
      ].map((d) => [createStrokedPathSvg(d, '#8d8a80', 24), createStrokedPathSvg(d, '#b9b6ab', 10)]),
      [120, 850].map((x) => createRectSvg(x, 300, 680, 12, '#8d8a80')),
      // The next SVG shapes draw the luggage rack and the hand straps.
      createRectSvg(0, 60, 1600, 16, '#8d8a80'),
      createRepeatedSvg(6, (i) => {
        const x = 190 + i * 250
        const swing = r(4, 10)
        return applySvgTransform(`rotate(${swing} ${x} 70)`, [
          createStrokedPathSvg(`M${x} 70V160`, '#b98650', 13),
          createEllipseOutlineSvg(x, 196, 34, 34, '#f7f1e2', 13),
        ])
      }),
      createRectSvg(60, 740, 1500, 34, '#a3744a'),
      createRectSvg(60, 740, 1500, 10, '#c79a63'),
      createRectSvg(60, 774, 1500, 16, '#2b1a12', 0.22),
      // The next SVG shapes draw the seats.
      mapNumbers('-140 560, 1180 560', (x, w) => [
        createRectSvg(x, 590, w, 520, '#2f5d4e', 1, 60),
        createRectSvg(x + 20, 600, w - 40, 150, '#3d7160', 1, 44),
        createRectSvg(x + 60, 590, w - 120, 60, '#f1ead9', 1, 20),
        createRectSvg(x, 900, w, 200, '#28503f', 1, 50),
        createRectSvg(x, 890, w, 60, '#3d7160', 1, 30),
      ]),
      // The next SVG shapes draw the small table below the window, with lunch, tea and mandarins.
      createRectSvg(470, 800, 660, 34, '#8f6540', 1, 12),
      createRectSvg(470, 796, 660, 16, '#c79a63', 1, 8),
      createRectSvg(780, 830, 40, 240, '#7d5634'),
      place(700, 796, [
        createRectSvg(-150, -70, 300, 70, '#7a3b2b', 1, 8),
        createRectSvg(-150, -82, 300, 22, '#934c38', 1, 8),
        createRepeatedSvg(4, (i) => createEllipseSvg(-106 + i * 46, -84, 24, 20, '#f7f3e8')),
        createRepeatedSvg(4, (i) => createRectSvg(-118 + i * 46, -84, 24, 22, '#3a4438')),
        createEllipseSvg(92, -84, 22, 15, '#f2c14a'),
        createEllipseSvg(124, -84, 16, 15, '#c1452f'),
        createStrokedPathSvg('M-160 -98L120 -116', '#c79a63', 7),
      ]),
      place(930, 796, [
        createRectSvg(-34, -110, 68, 110, '#e8e0c8', 1, 12),
        createRectSvg(-34, -70, 68, 40, '#6e8f52'),
        createRectSvg(-26, -136, 52, 34, '#4f7a5a', 1, 8),
      ]),
      mapNumbers('1020 770, 1078 772', (x, y) => [
        createEllipseSvg(x, y, 31, 27, '#e5862f'),
        createEllipseSvg(x - 9, y - 9, 11, 8, '#f4ad5c'),
        createEllipseSvg(x, y - 24, 5, 4, '#5f7340'),
      ]),
      createRectSvg(0, 0, 1600, 1067, '#ffb066', hour === 'gold' ? 0.1 : 0),
    ],
  },
} satisfies Record<string, DemoSceneDefinition>
