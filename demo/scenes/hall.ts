import { handwriting, personFromBehind } from '../scene-objects.ts'
import {
  createCloudSvg,
  createEllipseSvg,
  createFilledPathSvg,
  createFoliageSvg,
  createGrassBladesSvg,
  createHillsSvg,
  createRectSvg,
  createRepeatedSvg,
  createSkySvg,
  createStrokedPathSvg,
  type DemoSceneDefinition,
  evergreenShades,
  type NestedSvgMarkup,
  place,
} from '../svg.ts'

const paper = (
  x: number,
  y: number,
  w: number,
  h: number,
  turn: number,
  fill: string,
  drawing: NestedSvgMarkup,
  pin = '#c1452f',
): NestedSvgMarkup =>
  place(
    x,
    y,
    [
      createRectSvg(-w / 2 + 6, 8, w, h, '#2b1a12', 0.25),
      createRectSvg(-w / 2, 0, w, h, fill),
      drawing,
      createEllipseSvg(0, 14, 11, 11, pin),
      createEllipseSvg(-3, 11, 4, 4, '#fff', 0.6),
    ],
    1,
    turn,
  )

const cupOn = (y: number): NestedSvgMarkup => [
  createFilledPathSvg(`M-40 ${y - 62}H40L32 ${y}H-32Z`, '#4f7a86'),
  createEllipseSvg(0, y - 62, 40, 9, '#f6efe0'),
  [-16, 4, 24].map((x) => createStrokedPathSvg(`M${x} ${y - 78}q8 -10 0 -20`, '#8a3a2a', 5)),
]

export const hallScenes = {
  noticeboard: {
    width: 1600,
    height: 1067,
    alt: { en: 'The noticeboard outside the community hall', ja: '公民館の前の掲示板' },
    draw: (r, { sky: air, far, leaf, grass, cloud: white }) => [
      createSkySvg(1600, 700, air),
      createCloudSvg(120, 110, 260, white),
      createCloudSvg(1240, 90, 280, white),
      createHillsSvg(r, 1600, 500, 50, 800, far[1], 4),
      createRepeatedSvg(12, (i) =>
        createFoliageSvg(
          r,
          i * 145 + r(-40, 40),
          640 + r(-30, 30),
          r(110, 160),
          r(110, 150),
          r() < 0.55 ? leaf : evergreenShades,
        ),
      ),
      createRectSvg(0, 760, 1600, 310, grass[1]),
      createHillsSvg(r, 1600, 790, 12, 1067, grass[2], 3),
      createFilledPathSvg('M520 1067Q620 880 760 830H930Q1080 900 1180 1067Z', '#d9cdb0'),
      [280, 1290].map((x) => [
        createEllipseSvg(x + 20, 982, 60, 12, grass[0]),
        createRectSvg(x, 210, 42, 776, '#6b4a30'),
        createRectSvg(x, 210, 14, 776, '#8a6240'),
      ]),
      createRectSvg(250, 270, 1110, 560, '#5c3d27'),
      createRectSvg(274, 294, 1062, 512, '#c9ab7c'),
      createRepeatedSvg(200, () =>
        createEllipseSvg(r(280, 1330), r(300, 800), r(2, 5), r(2, 4), r.pick(['#b39463', '#d8bd92']), 0.8),
      ),
      createRectSvg(274, 294, 1062, 30, '#2b1a12', 0.2),
      // The next SVG shapes draw the notice about a lost cat.
      paper(420, 340, 200, 260, r(-4, 0), '#fbf6e8', [
        createFilledPathSvg('M-62 178V88L-56 40L-26 70H26L56 40L62 88V178Z', '#d98a45'),
        createEllipseSvg(-26, 110, 7, 10, '#2b2622'),
        createEllipseSvg(26, 110, 7, 10, '#2b2622'),
        createFilledPathSvg('M-8 128H8L0 138Z', '#8a3a2a'),
        createStrokedPathSvg('M0 138V148M-70 128h36M70 128h-36', '#2b2622', 4),
        handwriting(-70, 204, 140, 3, 18, '#8d8576'),
      ]),
      // The next SVG shapes draw the poster of the lantern festival.
      paper(
        690,
        330,
        250,
        340,
        r(-1, 3),
        '#33406a',
        [
          createRectSvg(-112, 230, 224, 96, '#fbf6e8', 1, 4),
          handwriting(-92, 256, 180, 3, 24, '#33406a', 8),
          [-70, 0, 70].map((x, i) => [
            createStrokedPathSvg(`M${x} 24V${70 + (i % 2) * 20}`, '#f6efe0', 3),
            createEllipseSvg(x, 124 + (i % 2) * 20, 32, 42, i % 2 ? '#e2512f' : '#fbd08a'),
            createStrokedPathSvg(
              `M${x - 28} ${112 + (i % 2) * 20}h56M${x - 31} ${128 + (i % 2) * 20}h62`,
              '#a8321f',
              2.5,
            ),
          ]),
        ],
        '#d9a441',
      ),
      // The next SVG shapes draw the papers on the notice board: a map, a notice about a found umbrella, a
      // timetable, and small notes.
      paper(
        980,
        350,
        230,
        190,
        r(-3, 4),
        '#eef0df',
        [
          createStrokedPathSvg('M-100 120Q-40 60 20 110T110 60', '#7fb0b8', 22),
          createStrokedPathSvg('M-90 40L80 170M-60 170L40 40', '#cdbb8e', 8),
          createRectSvg(-30, 84, 30, 26, '#c1452f'),
          createRectSvg(44, 120, 26, 24, '#6e8048'),
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
          createFilledPathSvg(
            'M0 50Q-70 56 -70 130Q-52 112 -35 130Q-18 112 0 130Q18 112 35 130Q52 112 70 130Q70 56 0 50Z',
            '#c1452f',
          ),
          createStrokedPathSvg('M0 50V168q0 16 -18 14', '#5c3d27', 7),
          handwriting(-56, 200, 100, 1, 10, '#8d8576'),
        ],
        '#6e8048',
      ),
      paper(400, 640, 240, 140, r(-2, 3), '#f2d58a', handwriting(-96, 52, 190, 4, 22, '#8a6a2c')),
      paper(610, 700, 120, 96, r(-8, -2), '#bcd6c4', handwriting(-44, 44, 84, 2, 20, '#4f7a5a'), '#d9a441'),
      paper(
        880,
        590,
        200,
        200,
        r(-3, 2),
        '#fbf6e8',
        createRepeatedSvg(4, (row) =>
          createRepeatedSvg(5, (i) =>
            createRectSvg(
              -84 + i * 34,
              46 + row * 36,
              28,
              28,
              (row * 5 + i) % 7 === 3 ? '#d9662f' : '#e3dac4',
            ),
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
        [cupOn(166), handwriting(-70, 40, 140, 1, 10, '#8a3a2a', 8)],
        '#3e5d86',
      ),
      paper(1270, 640, 96, 130, r(3, 9), '#cfdcea', handwriting(-34, 44, 66, 4, 18, '#48678f', 5)),
      // The next SVG shapes draw the roof of the notice board.
      createFilledPathSvg('M180 240L330 90H1280L1430 240Z', '#4b555b'),
      createRepeatedSvg(17, (i) =>
        createStrokedPathSvg(`M${330 + i * 59.4} 92L${190 + i * 77} 236`, '#39424a', 6),
      ),
      createRectSvg(160, 226, 1290, 34, '#39424a', 1, 14),
      createRectSvg(320, 74, 970, 34, '#5d6a72', 1, 14),
      // The next SVG shapes draw a pot of flowers beside the notice board.
      place(180, 960, [
        createEllipseSvg(0, 0, 90, 12, grass[0]),
        createFilledPathSvg('M-70 -90L-54 0H54L70 -90Z', '#b5654a'),
        createFoliageSvg(r, 0, -130, 90, 70, ['#3d6650', '#5f8a66', '#9ab77d'], 10),
        createRepeatedSvg(9, () =>
          createEllipseSvg(r(-70, 70), r(-180, -90), 12, 11, r.pick(['#e8a24a', '#f2d58a', '#d9662f'])),
        ),
      ]),
      personFromBehind(1470, 1010, 330, '#3e5d86', '#6d6a66'),
      personFromBehind(1560, 1020, 210, '#d9a441', '#2b2622'),
      createGrassBladesSvg(r, 120, 0, 1000, 1600, 70, 50, [grass[0], grass[2], ...leaf.slice(1)]),
    ],
  },
} satisfies Record<string, DemoSceneDefinition>
