import { createMugSvg, createPlanksSvg, createSteamSvg } from '../scene-objects.ts'
import {
  applySvgClipPath,
  applySvgTransform,
  createEllipseOutlineSvg,
  createEllipseSvg,
  createFilledPathSvg,
  createFoliageSvg,
  createHillsSvg,
  createRectSvg,
  createRepeatedSvg,
  createStrokedPathSvg,
  type DemoSceneDefinition,
  evergreenShades,
  mapNumbers,
  place,
  verticalGradient,
  woodColours,
} from '../svg.ts'

export const workScenes = {
  tools: {
    width: 1200,
    height: 1600,
    alt: { en: 'Garden tools on the wall of the shed', ja: '物置の壁にかかった庭道具' },
    draw: (r, { leaf, hour }) => [
      createPlanksSvg(r, 0, 0, 1200, 1600, 11, ['#8d9a8f', '#87948a', '#95a196', '#8b988f'], true),
      createRepeatedSvg(30, () =>
        createStrokedPathSvg(`M${r(0, 1200)} ${r(0, 1300)}v${r(60, 200)}`, '#5d6a62', 3, 0.3),
      ),
      createFilledPathSvg('M0 260L700 -60H1180L0 900Z', hour === 'gold' ? '#ffd79a' : '#fff4d8', 0.3),
      createRectSvg(60, 190, 1080, 50, '#6b4a30'),
      createRectSvg(60, 190, 1080, 12, '#8a6240'),
      createRectSvg(60, 240, 1080, 24, '#2b2622', 0.18),
      [150, 340, 530, 760, 1010].map((x) => [createRectSvg(x - 8, 220, 16, 44, '#3b3a38', 1, 8)]),
      // The next SVG shapes draw the shadows of the tools that hang on the wall.
      applySvgTransform(
        'translate(26 22)',
        [
          createStrokedPathSvg('M150 250V960M340 250V940M530 250V900', '#2b2622', 26),
          createEllipseSvg(770, 470, 180, 176, '#2b2622'),
        ],
        0.16,
      ),
      // The next SVG shapes draw the rake.
      createStrokedPathSvg('M150 236V900', '#c79a63', 24),
      createStrokedPathSvg('M144 236V900', '#dcb684', 7),
      createRectSvg(60, 900, 180, 36, '#4a4f55', 1, 8),
      createRepeatedSvg(7, (i) => createStrokedPathSvg(`M${72 + i * 26} 930v64`, '#4a4f55', 11)),
      // The next SVG shapes draw the spade.
      createRectSvg(300, 226, 80, 22, '#5c3d27', 1, 11),
      createStrokedPathSvg('M340 240V740', '#b0814f', 26),
      createStrokedPathSvg('M333 244V740', '#cda26d', 7),
      createFilledPathSvg('M262 720H418V860Q410 960 340 990Q270 960 262 860Z', '#6d7a82'),
      createFilledPathSvg('M262 720H330V980Q270 950 262 860Z', '#87949b'),
      createStrokedPathSvg('M340 730V880', '#4f5a61', 8),
      // The next SVG shapes draw the hoe.
      createStrokedPathSvg('M530 236V900', '#c79a63', 24),
      createStrokedPathSvg('M524 236V900', '#dcb684', 7),
      createFilledPathSvg('M496 870H640Q652 920 620 964L500 912Z', '#5b636a'),
      createFilledPathSvg('M620 964L500 912L496 896L630 940Z', '#9ba7ad'),
      // The next SVG shapes draw the straw hat.
      createStrokedPathSvg('M760 244V330', '#a8452f', 6),
      createEllipseSvg(756, 450, 186, 180, '#d9b871'),
      createEllipseSvg(756, 450, 164, 158, '#e6ca8a'),
      [130, 100].map((size) => createEllipseOutlineSvg(756, 450, size, size * 0.96, '#c7a45c', 5)),
      createEllipseSvg(756, 450, 84, 80, '#a8452f'),
      createEllipseSvg(756, 446, 74, 70, '#e6ca8a'),
      createEllipseSvg(742, 432, 44, 40, '#f1dca6'),
      // The next SVG shapes draw the gloves and the shears.
      createStrokedPathSvg('M1010 240L980 300M1010 240L1046 300', '#3b3a38', 5),
      place(
        966,
        300,
        [
          createFilledPathSvg('M-44 0H44V90Q60 60 76 76Q84 110 50 150V210Q0 230 -46 210Z', '#d9a441'),
          createRectSvg(-50, -8, 100, 34, '#b8543c', 1, 10),
          createStrokedPathSvg('M-18 200V160M14 204V160', '#a8782c', 6),
        ],
        1,
        8,
      ),
      place(
        1060,
        310,
        [
          createFilledPathSvg('M-44 0H44V210Q0 230 -46 210V150Q-80 110 -72 76Q-56 60 -44 90Z', '#d0993a'),
          createRectSvg(-50, -8, 100, 34, '#a84a34', 1, 10),
          createStrokedPathSvg('M-14 200V160M18 204V160', '#9c6f28', 6),
        ],
        1,
        -7,
      ),
      place(860, 800, [
        createStrokedPathSvg('M-40 -160L26 60M40 -160L-26 60', '#b8452f', 22),
        createFilledPathSvg('M26 40L-6 230L-22 226L6 50Z', '#8f9ba1'),
        createFilledPathSvg('M-26 40L6 230L22 226L-6 50Z', '#aab5ba'),
        createEllipseSvg(0, -14, 13, 13, '#4a4f55'),
        createStrokedPathSvg('M0 -240V-180M-40 -160Q0 -210 40 -160', '#3b3a38', 6),
      ]),
      place(1060, 760, [
        createEllipseOutlineSvg(0, 0, 96, 100, '#4f7a5a', 24),
        createEllipseOutlineSvg(6, 4, 68, 72, '#5f8f6a', 24),
        createEllipseOutlineSvg(-4, 0, 42, 46, '#4f7a5a', 20),
        createStrokedPathSvg('M60 80Q110 140 60 220', '#5f8f6a', 22),
        createRectSvg(44, 210, 34, 40, '#c9a24a', 1, 6),
      ]),
      // The next SVG shapes draw the bench, with pots, young plants and a watering can.
      createRectSvg(0, 1330, 1200, 60, '#7d5634'),
      createRectSvg(0, 1330, 1200, 14, '#a3744a'),
      createRectSvg(0, 1390, 1200, 210, '#4d3b2e'),
      createRepeatedSvg(5, (i) => createRectSvg(i * 260 + 40, 1390, 30, 210, '#3d2e24')),
      mapNumbers('100 1, 250 0.85, 390 1.1', (x, size, i) =>
        place(
          x,
          1330,
          [
            createEllipseSvg(8, 0, 66, 9, '#2b2622', 0.3),
            createFilledPathSvg('M-62 -110L-46 0H46L62 -110Z', '#b5654a'),
            createRectSvg(-70, -128, 140, 34, '#c4775a', 1, 6),
            createFilledPathSvg('M20 -94H62L46 0H20Z', '#8a4532', 0.4),
            i === 1
              ? [createEllipseSvg(0, -128, 56, 9, '#4a352a')]
              : [
                  createStrokedPathSvg(`M0 -128V-210`, '#5c7a48', 7),
                  createFoliageSvg(
                    r,
                    0,
                    -220 - i * 20,
                    62,
                    62 + i * 22,
                    i ? leaf : ['#4a7350', '#6e9a64', '#a9c585'],
                    9,
                  ),
                ],
          ],
          size,
        ),
      ),
      place(820, 1330, [
        createEllipseSvg(10, 0, 190, 14, '#2b2622', 0.3),
        createStrokedPathSvg('M-110 -150Q-250 -180 -230 -60Q-210 -30 -120 -50', '#3f6f72', 24),
        createStrokedPathSvg('M110 -70L270 -200', '#4f868a', 30),
        createFilledPathSvg('M250 -236L320 -170L300 -156L236 -216Z', '#3f6f72'),
        createFilledPathSvg('M-130 -180H120L140 0H-140Z', '#4f868a'),
        createFilledPathSvg('M40 -180H120L140 0H40Z', '#2b4f52', 0.3),
        createEllipseSvg(-5, -180, 126, 22, '#3a6467'),
        createStrokedPathSvg('M-80 -176Q-20 -300 80 -182', '#3f6f72', 18),
      ]),
      place(1080, 1330, [
        createEllipseSvg(0, 0, 76, 10, '#2b2622', 0.3),
        createFilledPathSvg('M-70 -120Q0 -150 70 -120L80 0H-80Z', '#cdb489'),
        createFilledPathSvg('M-60 -118Q-20 -190 10 -150Q50 -180 58 -118Z', '#bfa374'),
        createStrokedPathSvg('M-58 -112Q0 -92 60 -112', '#8a5f3a', 9),
        createEllipseSvg(-10, -56, 30, 26, '#6e8f52', 0.8),
      ]),
      createRepeatedSvg(9, () =>
        place(
          r(40, 1160),
          r(1420, 1580),
          createEllipseSvg(0, 0, r(8, 16), r(4, 7), r.pick(leaf), 0.8),
          1,
          r(-40, 40),
        ),
      ),
    ],
  },

  workbench: {
    width: 1600,
    height: 1067,
    alt: {
      en: 'The workbench, with shavings and half a stool',
      ja: '鉋くずと作りかけの腰かけがのった作業台',
    },
    draw: (r, { sky: air, far, leaf, grass }) => [
      createPlanksSvg(r, 0, 0, 1600, 720, 9, ['#b8a88c', '#b1a185', '#beae92', '#ab9b7f']),
      createRectSvg(520, 60, 560, 420, '#6b4a30'),
      applySvgClipPath('pane', 'M548 88H1052V452H548Z', [
        verticalGradient('air', ...air),
        createRectSvg(548, 88, 504, 364, 'url(#air)'),
        createHillsSvg(r, 1600, 280, 30, 500, far[1], 4),
        createRepeatedSvg(6, (i) =>
          createFoliageSvg(
            r,
            580 + i * 90 + r(-20, 20),
            350,
            r(60, 90),
            r(50, 80),
            i % 2 ? leaf : evergreenShades,
          ),
        ),
        createRectSvg(548, 400, 504, 60, grass[1]),
      ]),
      createRectSvg(792, 80, 16, 380, '#6b4a30'),
      createRectSvg(540, 262, 520, 14, '#6b4a30'),
      createRectSvg(490, 474, 620, 28, '#8f6540'),
      createFilledPathSvg('M548 502H1052L1320 760H380Z', '#fff1cc', 0.3),
      // The next SVG shapes draw the tools on the wall.
      createRectSvg(60, 150, 400, 34, '#7d5634'),
      createRepeatedSvg(5, (i) =>
        place(110 + i * 76, 140, [
          createRectSvg(-13, -60, 26, 74, ['#c1452f', '#c79a63', '#8f6540', '#c79a63', '#3e5d86'][i]!, 1, 10),
          createRectSvg(-8, 14, 16, 100 + (i % 3) * 26, '#aab5ba'),
          createRectSvg(-8 - i * 1.5, 104 + (i % 3) * 26, 16 + i * 3, 26, '#c9d1d3'),
        ]),
      ),
      place(
        260,
        440,
        [
          createFilledPathSvg('M-190 -50L150 -70L160 -20L-186 60Z', '#aab5ba'),
          createRepeatedSvg(25, (i) =>
            createFilledPathSvg(`M${-186 + i * 13.6} ${58 - i * 3.2}l7 13l6 -15Z`, '#aab5ba'),
          ),
          createFilledPathSvg('M140 -84Q230 -90 240 -30Q220 20 150 0Z', '#a3744a'),
          createEllipseSvg(190, -40, 24, 20, '#b1a185'),
        ],
        0.95,
        -4,
      ),
      createRectSvg(1150, 150, 400, 30, '#7d5634'),
      place(1230, 180, [
        createStrokedPathSvg('M0 0V30', '#3b3a38', 8),
        createStrokedPathSvg('M0 30V250', '#c79a63', 24),
        createFilledPathSvg('M-80 20H60Q90 20 92 46L60 74H-80Z', '#4a4f55'),
      ]),
      place(1390, 180, [
        createStrokedPathSvg('M0 0V30', '#3b3a38', 8),
        createStrokedPathSvg('M0 40V230', '#8f6540', 22),
        createRectSvg(-56, 20, 112, 64, '#c79a63', 1, 12),
      ]),
      place(1500, 190, [
        createEllipseOutlineSvg(0, 70, 52, 52, '#d9b27c', 22),
        createEllipseOutlineSvg(0, 70, 52, 52, '#b98650', 4),
      ]),
      // The next SVG shapes draw the workbench.
      createRectSvg(0, 736, 1600, 60, '#b98650'),
      createRectSvg(0, 720, 1600, 28, '#d3a873'),
      createRectSvg(0, 796, 1600, 300, '#5c4534'),
      createRectSvg(0, 796, 1600, 26, '#2b1a12', 0.35),
      [120, 820, 1460].map((x) => createRectSvg(x, 796, 80, 280, '#7d5634')),
      createRectSvg(300, 850, 420, 130, '#6b4a30', 1, 8),
      createRectSvg(470, 900, 80, 22, '#c9a24a', 1, 11),
      createRectSvg(980, 900, 400, 30, '#7d5634'),
      createRepeatedSvg(5, (i) =>
        createRectSvg(1000 + i * 26, 852 - (i % 2) * 20, 22, 50 + (i % 2) * 20, woodColours[i % 4]!),
      ),
      createRectSvg(1180, 830, 150, 70, '#b5a98c', 1, 6),
      // The next SVG shapes draw a plane on a board, with wood shavings.
      createRectSvg(120, 690, 680, 34, '#e0c391'),
      createRectSvg(120, 690, 680, 8, '#f1dcb4'),
      place(420, 690, [
        createRectSvg(-130, -74, 260, 76, '#a3744a', 1, 10),
        createRectSvg(-130, -74, 260, 18, '#c19566', 1, 9),
        createFilledPathSvg('M-20 -150L30 -160L50 -60H-2Z', '#6d7a82'),
        createFilledPathSvg('M-46 -140L-12 -146L10 -60H-22Z', '#7d5634'),
        createStrokedPathSvg('M20 -80C60 -150 120 -130 100 -96S50 -110 80 -150', '#f1dcb4', 15),
      ]),
      createRepeatedSvg(13, () => {
        const [x, y, s] = [r(540, 1000), r(694, 722), r(16, 30)]
        return createStrokedPathSvg(
          `M${x} ${y}c${s} ${-s * 1.6} ${s * 2} 0 ${s} ${s * 0.2}s${-s * 0.6} ${-s * 0.9} ${s * 0.3} ${-s}`,
          r.pick(['#f1dcb4', '#e6c998', '#f7e8c8']),
          9,
        )
      }),
      createRepeatedSvg(8, () => {
        const [x, s] = [r(200, 1400), r(14, 26)]
        return createStrokedPathSvg(
          `M${x} 1050c${s} ${-s * 1.6} ${s * 2} 0 ${s} ${s * 0.2}s${-s * 0.6} ${-s * 0.9} ${s * 0.3} ${-s}`,
          '#e6c998',
          8,
        )
      }),
      // The next SVG shapes draw the stool, which has only three of its four legs yet.
      createEllipseSvg(1200, 722, 200, 14, '#3b2413', 0.3),
      createStrokedPathSvg('M1100 540L1070 716M1300 540L1330 716', '#c08f59', 28),
      createStrokedPathSvg('M1092 640H1310', '#b07a48', 18),
      createEllipseSvg(1200, 536, 170, 36, '#a8763f'),
      createEllipseSvg(1200, 522, 170, 36, '#d9b27c'),
      createEllipseOutlineSvg(1200, 522, 120, 22, '#c19a64', 4),
      createEllipseOutlineSvg(1200, 522, 66, 11, '#c19a64', 4),
      createStrokedPathSvg('M1400 714L1560 690', '#c08f59', 28),
      createMugSvg(960, 722, 92, '#4f7a86'),
      createSteamSvg(960, 620, 110, 0.6),
      createStrokedPathSvg('M60 716L110 600', '#d9a441', 13),
      createFilledPathSvg('M54 726L66 694L78 700Z', '#2b2622'),
    ],
  },
} satisfies Record<string, DemoSceneDefinition>
