import { createBowlSvg, createPlanksSvg, createSteamSvg, personFromBehind } from '../scene-objects.ts'
import {
  applySvgClipPath,
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
  createTreeSvg,
  type DemoSceneDefinition,
  evergreenShades,
  mapNumbers,
  place,
  woodColours,
} from '../svg.ts'

export const soupScenes = {
  soup: {
    width: 1600,
    height: 1200,
    alt: { en: 'A big pot of soup over the fire by the river', ja: '河原の火にかけた大鍋の汁' },
    draw: (r, { sky: air, far, leaf, grass, cloud: white }) => {
      const pot = 'M-250 -130C-270 60 -180 160 0 164C180 160 270 60 250 -130Z'
      return [
        createSkySvg(1600, 640, air),
        createCloudSvg(180, 120, 260, white),
        createCloudSvg(1180, 90, 300, white),
        createHillsSvg(r, 1600, 330, 60, 700, far[1], 4),
        createHillsSvg(r, 1600, 430, 40, 700, far[0], 5),
        createRepeatedSvg(18, (i) =>
          createFoliageSvg(
            r,
            i * 95 + r(-30, 30),
            500 + r(-20, 20),
            r(80, 120),
            r(60, 90),
            r() < 0.65 ? leaf : evergreenShades,
            9,
          ),
        ),
        createRectSvg(0, 540, 1600, 90, '#9fc0c6'),
        createRepeatedSvg(26, () => createRectSvg(r(0, 1600), r(548, 620), r(40, 130), 5, '#eef5f2', 0.6, 2)),
        createFilledPathSvg('M-20 620Q500 590 900 612T1620 604V1200H-20Z', grass[2]),
        createFilledPathSvg('M-20 690Q600 660 1000 690T1620 670V1200H-20Z', grass[1]),
        createTreeSvg(r, 1480, 720, 560, leaf),
        personFromBehind(200, 780, 300, '#b8543c', '#2b2622'),
        personFromBehind(300, 770, 200, '#d9a441', '#3a2a22'),
        personFromBehind(1230, 780, 310, '#3e5d86', '#6d6a66'),
        createRepeatedSvg(80, () =>
          createEllipseSvg(
            r(0, 1600),
            r(700, 960),
            r(5, 16),
            r(3, 7),
            r.pick(['#b7b3a5', '#8f8d83', ...leaf]),
            0.8,
          ),
        ),
        // The next SVG shapes draw the tripod, the fire and the pot.
        createStrokedPathSvg('M780 60L420 930M780 60L1140 930M780 60L800 420', '#5a4130', 20),
        createStrokedPathSvg('M800 300V470', '#2b2622', 7),
        createEllipseSvg(780, 930, 340, 46, '#3b3530', 0.5),
        createGlowSvg(780, 860, 360, '#ffab4f', 0.8),
        createRepeatedSvg(9, (i) =>
          createFilledPathSvg(
            `M${560 + i * 52} 930Q${540 + i * 52} ${850 - r(0, 60)} ${590 + i * 52} ${760 - r(0, 50)}Q${640 + i * 52} 860 ${614 + i * 52} 930Z`,
            i % 2 ? '#f2a13c' : '#e2672c',
          ),
        ),
        createRepeatedSvg(6, (i) =>
          createFilledPathSvg(
            `M${610 + i * 58} 932Q${604 + i * 58} 880 ${630 + i * 58} 830Q${662 + i * 58} 890 ${650 + i * 58} 932Z`,
            '#ffe29a',
          ),
        ),
        createStrokedPathSvg('M520 946L1040 900M540 900L1020 950M780 950L660 890', '#4f3826', 34),
        createRepeatedSvg(11, (i) =>
          createEllipseSvg(
            470 + i * 62,
            956 + (i % 2) * 12,
            48,
            30,
            ['#8f8d83', '#a5a297', '#7b796f'][i % 3]!,
          ),
        ),
        createStrokedPathSvg('M540 520Q780 300 1020 520', '#2b2622', 13),
        place(780, 650, [
          createFilledPathSvg(pot, '#34312f'),
          applySvgClipPath('pot', pot, [
            createFilledPathSvg('M-260 -130Q-230 130 -90 170H-260Z', '#4d4845'),
            createRectSvg(-260, -60, 520, 12, '#4d4845'),
            createFilledPathSvg('M140 -130Q180 60 60 170H260V-130Z', '#211f1e'),
          ]),
          createEllipseSvg(0, -130, 262, 56, '#45413e'),
          createEllipseSvg(0, -126, 238, 44, '#b9793c'),
          createEllipseSvg(-20, -130, 206, 32, '#cf9450'),
          createRepeatedSvg(26, () => {
            const [a, out] = [r(0, 6.3), Math.sqrt(r()) * 0.85]
            const [x, y] = [Math.cos(a) * out * 210, -128 + Math.sin(a) * out * 34]
            return r.pick([
              createEllipseSvg(x, y, 19, 11, '#f3e9d4'),
              createRectSvg(x - 14, y - 6, 28, 11, '#8fa562', 1, 5),
              createEllipseSvg(x, y, 16, 10, '#d9662f'),
              createRectSvg(x - 13, y - 8, 26, 15, '#8a5f43', 1, 5),
            ])
          }),
          createStrokedPathSvg('M120 -140L250 -360', '#a3744a', 17),
        ]),
        createSteamSvg(690, 480, 300, 0.4),
        createSteamSvg(880, 480, 250, 0.35),
        // The next SVG shapes draw the table.
        createPlanksSvg(r, 0, 1010, 1600, 190, 3, woodColours),
        createRectSvg(0, 1000, 1600, 14, '#e0b987'),
        createRectSvg(0, 960, 1600, 40, '#3b2413', 0.0),
        createRepeatedSvg(4, (i) =>
          createBowlSvg(210 + i * 2, 1110 - i * 42, 190, 84, '#6b2f22', '#8a3a2a', '#4a1f17'),
        ),
        mapNumbers('480 1130, 1090 1120', (x, y) => [
          createEllipseSvg(x + 8, y, 90, 12, '#3b2413', 0.3),
          createBowlSvg(x, y, 210, 100, '#6b2f22', '#8a3a2a', '#cf9450'),
          createEllipseSvg(x - 30, y - 100, 20, 6, '#f3e9d4'),
          createRectSvg(x + 8, y - 104, 26, 8, '#8fa562', 1, 4),
          createSteamSvg(x, y - 116, 110, 0.45),
        ]),
        createStrokedPathSvg('M600 1136L860 1104M604 1148L868 1120', '#8a3a2a', 8),
        createRectSvg(1240, 1086, 300, 34, '#b07a48', 1, 14),
        [1080, 1064, 1070].map((y, i) => [
          createStrokedPathSvg(`M${1270 + i * 20} ${y}H1420`, '#f3f0e2', 20),
          createStrokedPathSvg(`M1420 ${y}l120 ${-16 + i * 12}`, '#6e8f52', 18),
        ]),
      ]
    },
  },
} satisfies Record<string, DemoSceneDefinition>
