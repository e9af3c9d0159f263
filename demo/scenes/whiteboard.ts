import { handwriting } from '../scene-objects.ts'
import {
  createEllipseOutlineSvg,
  createEllipseSvg,
  createFilledPathSvg,
  createRectSvg,
  createRepeatedSvg,
  createStrokedPathSvg,
  type DemoSceneDefinition,
  mapNumbers,
  type NestedSvgMarkup,
  place,
} from '../svg.ts'

export const whiteboardScenes = {
  whiteboard: {
    width: 1600,
    height: 1200,
    alt: { en: 'The whiteboard after the meeting, full of notes', ja: '話し合いのあとのホワイトボード' },
    draw: (r) => {
      const note = (x: number, y: number, fill: string): NestedSvgMarkup =>
        place(
          x,
          y,
          [
            createRectSvg(4, 6, 104, 100, '#2b2622', 0.14),
            createRectSvg(0, 0, 104, 100, fill),
            handwriting(14, 28, 72, 3, 22, '#5c5347', 5),
          ],
          1,
          r(-6, 6),
        )
      const chair = (x: number): NestedSvgMarkup => [
        createRectSvg(x - 70, 900, 140, 190, '#7a8f86', 1, 24),
        createRectSvg(x - 70, 900, 140, 60, '#8aa096', 1, 24),
        createStrokedPathSvg(`M${x - 54} 1080V1220M${x + 54} 1080V1220`, '#5d6a66', 15),
      ]
      return [
        createRectSvg(0, 0, 1600, 1200, '#d8d6c8'),
        createFilledPathSvg('M1600 0H1150L500 1000H1600Z', '#f4eed9', 0.6),
        createRectSvg(0, 900, 1600, 300, '#b09470'),
        createRectSvg(0, 888, 1600, 20, '#8a6f50'),
        // The next SVG shapes draw a clock, a cupboard and a plant.
        createEllipseSvg(1440, 180, 90, 90, '#6b4a30'),
        createEllipseSvg(1440, 180, 77, 77, '#fbf8ee'),
        createRepeatedSvg(12, (i) =>
          createStrokedPathSvg(
            `M${1440 + Math.cos((i * Math.PI) / 6) * 64} ${180 + Math.sin((i * Math.PI) / 6) * 64}l${Math.cos((i * Math.PI) / 6) * 7} ${Math.sin((i * Math.PI) / 6) * 7}`,
            '#6b4a30',
            5,
          ),
        ),
        createStrokedPathSvg('M1440 180V128M1440 180L1482 206', '#2b2622', 8),
        createRectSvg(1330, 560, 250, 350, '#a3744a'),
        createRectSvg(1342, 572, 110, 320, '#b98650'),
        createRectSvg(1458, 572, 110, 320, '#b98650'),
        createEllipseSvg(1436, 740, 7, 16, '#5c3d27'),
        createEllipseSvg(1474, 740, 7, 16, '#5c3d27'),
        place(1450, 560, [
          createFilledPathSvg('M-60 -90L-46 0H46L60 -90Z', '#b5654a'),
          [-60, -24, 12, 48].map((lean, i) =>
            place(
              0,
              -90,
              createFilledPathSvg('M0 0Q34 -100 4 -190Q-34 -100 0 0Z', i % 2 ? '#4a7350' : '#6e9a64'),
              1,
              lean,
            ),
          ),
        ]),
        // The next SVG shapes draw the whiteboard with the first notes on it.
        createRectSvg(110, 130, 1140, 700, '#2b2622', 0.15, 14),
        createRectSvg(96, 110, 1140, 700, '#9aa5a5', 1, 14),
        createRectSvg(116, 130, 1100, 660, '#fdfdf9'),
        createFilledPathSvg('M116 130H500L220 790H116Z', '#eef2f0', 0.8),
        createStrokedPathSvg('M160 200h260', '#2f4a6d', 12),
        handwriting(160, 250, 300, 4, 44, '#4a4f55', 7),
        createRepeatedSvg(4, (i) => createEllipseSvg(150, 250 + i * 44, 6, 6, '#c1452f')),
        // The next SVG shapes draw the plan of the market stalls on the whiteboard.
        `<rect x="160" y="470" width="420" height="270" fill="none" stroke="#2f5d4e" stroke-width="7" rx="10"/>`,
        createStrokedPathSvg('M300 470V740M440 470V600H580M160 610H300', '#2f5d4e', 6),
        mapNumbers('230 540, 370 600, 510 535, 230 680, 510 680', (x, y, i) =>
          i % 2
            ? createStrokedPathSvg(`M${x - 26} ${y - 22}l52 44m0 -44l-52 44`, '#c1452f', 8)
            : createEllipseOutlineSvg(x, y, 28, 28, '#2f4a6d', 7),
        ),
        createStrokedPathSvg('M590 700C680 690 660 610 720 600', '#c1452f', 7),
        createStrokedPathSvg('M696 588l26 12l-14 26', '#c1452f', 7),
        // The next SVG shapes draw a lantern, a curve and paper notes on the whiteboard, and the tray with
        // pens below it.
        createStrokedPathSvg('M640 200V226M616 250H664M616 360H664M640 376V410', '#c1452f', 7),
        createEllipseSvg(640, 306, 58, 54, '#fbe3d6'),
        createEllipseOutlineSvg(640, 306, 58, 54, '#c1452f', 7),
        createStrokedPathSvg('M588 288h104M584 310h112M590 332h100', '#c1452f', 4),
        createStrokedPathSvg('M760 470V720H1180', '#4a4f55', 7),
        createStrokedPathSvg('M780 690L860 640L940 660L1020 560L1100 580L1170 500', '#2f5d4e', 9),
        [
          [0, '#f2d58a'],
          [1, '#bcd6c4'],
          [2, '#f3c9b8'],
        ].map(([col, fill]) =>
          createRepeatedSvg(2, (row) =>
            note(770 + (col as number) * 140, 176 + row * 128, r() < 0.8 ? (fill as string) : '#cfdcea'),
          ),
        ),
        r() < 0.6 ? note(1060, 620, '#f2d58a') : '',
        createRectSvg(480, 806, 420, 24, '#7d8888', 1, 8),
        ['#c1452f', '#2f4a6d', '#2f5d4e'].map((fill, i) =>
          createRectSvg(520 + i * 84, 796, 66, 15, fill, 1, 7),
        ),
        createRectSvg(800, 786, 70, 26, '#5c5347', 1, 5),
        // The next SVG shapes draw two chairs, and the table with cups and biscuits.
        chair(330),
        chair(1000),
        createEllipseSvg(680, 1120, 640, 90, '#2b1a12', 0.2),
        createFilledPathSvg('M160 1040H1240L1360 1200H40Z', '#d9b27c'),
        createFilledPathSvg('M160 1040H1240L1250 1054H150Z', '#efd3a4'),
        [
          [360, 1110, '#4f7a86'],
          [620, 1160, '#b8543c'],
          [940, 1096, '#e8dcc4'],
          [1120, 1170, '#6e8048'],
        ].map(([x, y, fill]) => [
          createEllipseSvg((x as number) + 8, (y as number) + 2, 52, 12, '#3b2413', 0.3),
          createFilledPathSvg(
            `M${(x as number) - 42} ${(y as number) - 78}h84l-9 76q-33 10 -66 0Z`,
            fill as string,
          ),
          createEllipseSvg(x as number, (y as number) - 78, 42, 12, '#f7f1e2'),
          createEllipseSvg(x as number, (y as number) - 77, 34, 9, '#93ab5c'),
        ]),
        place(760, 1110, [
          createEllipseSvg(6, 8, 130, 20, '#3b2413', 0.25),
          createEllipseSvg(0, 0, 124, 22, '#f1e6cf'),
          createRepeatedSvg(5, (i) =>
            createEllipseSvg(-60 + i * 30, -14 - (i % 2) * 10, 24, 18, ['#c57e38', '#d99a52'][i % 2]!),
          ),
        ]),
        place(480, 1150, [
          createFilledPathSvg('M-80 20L-60 -40H70L90 20Z', '#fbf8ee'),
          handwriting(-40, -22, 90, 3, 14, '#a89d86', 4),
          createStrokedPathSvg('M96 10L150 -30', '#3e5d86', 9),
        ]),
      ]
    },
  },
} satisfies Record<string, DemoSceneDefinition>
