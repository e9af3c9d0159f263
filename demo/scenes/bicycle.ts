import { createPlanksSvg } from '../scene-objects.ts'
import {
  createEllipseOutlineSvg,
  createEllipseSvg,
  createFilledPathSvg,
  createFoliageSvg,
  createRectSvg,
  createRepeatedSvg,
  createStrokedPathSvg,
  type DemoSceneDefinition,
  mapNumbers,
  type NestedSvgMarkup,
  place,
} from '../svg.ts'

export const bicycleScenes = {
  bicycle: {
    width: 1600,
    height: 1200,
    alt: {
      en: 'A bicycle with a full basket, leaning by the gate',
      ja: '門のわきに立てかけた、かごいっぱいの自転車',
    },
    draw: (r, { leaf, hour }) => {
      const frame = r.pick(['#3f6f72', '#b8452f', '#3e5d86', '#6e8048', '#d0993a'])
      const wheel = (x: number): NestedSvgMarkup => [
        createEllipseOutlineSvg(x, 880, 186, 186, '#2f2d2b', 20),
        createEllipseOutlineSvg(x, 880, 168, 168, '#b9bdbc', 7),
        createRepeatedSvg(18, (i) =>
          createStrokedPathSvg(
            `M${x} 880L${x + Math.cos((i * Math.PI) / 9) * 166} ${880 + Math.sin((i * Math.PI) / 9) * 166}`,
            '#9aa09f',
            2.5,
          ),
        ),
        createEllipseSvg(x, 880, 17, 17, '#5d6a72'),
      ]
      return [
        createRectSvg(0, 0, 1600, 1200, '#e6dcc6'),
        createRepeatedSvg(80, () =>
          createEllipseSvg(r(0, 1600), r(0, 800), r(4, 60), r(1, 4), '#d0c3a6', 0.5),
        ),
        createFilledPathSvg('M-20 0H700L-20 900Z', hour === 'gold' ? '#ffdca6' : '#fff6df', 0.6),
        createPlanksSvg(r, 0, 700, 1600, 330, 20, ['#6b5546', '#63503f', '#735c4b'], true),
        createRectSvg(0, 690, 1600, 22, '#4d3b2e'),
        // The next SVG shapes draw the lattice window and the door.
        createRectSvg(160, 190, 420, 370, '#5c4534'),
        createRectSvg(180, 210, 380, 330, '#f3dfae'),
        createRepeatedSvg(9, (i) => createRectSvg(196 + i * 42, 210, 16, 330, '#6b4f3a')),
        createRectSvg(140, 176, 460, 24, '#4d3b2e'),
        createRectSvg(1170, 150, 370, 884, '#5c4534'),
        createRectSvg(1194, 174, 322, 860, '#8a6a4a'),
        createRepeatedSvg(6, (i) => createRectSvg(1206 + i * 52, 174, 14, 860, '#5c4534')),
        createRectSvg(1194, 600, 322, 22, '#5c4534'),
        [0, 1, 2].map((i) =>
          createFilledPathSvg(
            `M${1186 + i * 114} 170h108v220q-52 22 -108 0Z`,
            ['#34466e', '#3c5180', '#34466e'][i]!,
          ),
        ),
        [0, 1, 2].map((i) => createEllipseOutlineSvg(1240 + i * 114, 290, 26, 26, '#e8dcc4', 9)),
        createRectSvg(0, -10, 1600, 60, '#4b555b'),
        createRepeatedSvg(27, (i) => createEllipseSvg(i * 62 + 20, 56, 29, 20, '#5d6a72')),
        createRectSvg(0, 44, 1600, 12, '#39424a'),
        createRectSvg(0, 80, 1600, 40, '#2b2622', 0.1),
        // The next SVG shapes draw the ground.
        createRectSvg(0, 1030, 1600, 170, '#b5b0a2'),
        createRectSvg(0, 1030, 1600, 14, '#8d887b'),
        createRepeatedSvg(8, (i) =>
          createStrokedPathSvg(`M${i * 240 - 60} 1200L${i * 220 + 20} 1044`, '#9a9587', 5),
        ),
        createFoliageSvg(r, 1030, 90, 190, 110, leaf, 12),
        createFoliageSvg(r, 860, 50, 140, 80, leaf, 10),
        createRepeatedSvg(30, () =>
          place(
            r(0, 1600),
            r(1040, 1190),
            createEllipseSvg(0, 0, r(8, 15), r(4, 7), r.pick(leaf)),
            1,
            r(-30, 30),
          ),
        ),
        // The next SVG shapes draw the flower pots beside the wall.
        mapNumbers('90 1.1, 1070 0.95', (x, size, i) =>
          place(
            x,
            1056,
            [
              createEllipseSvg(8, 0, 84, 12, '#2b1a12', 0.3),
              createFilledPathSvg('M-74 -120L-56 0H56L74 -120Z', i ? '#4f7a86' : '#b5654a'),
              createRectSvg(-82, -138, 164, 34, i ? '#5f8f9a' : '#c4775a', 1, 6),
              createFoliageSvg(r, 0, -220, 96, 100, ['#3d6650', '#5f8a66', '#9ab77d'], 11),
              createRepeatedSvg(i ? 10 : 0, () =>
                createEllipseSvg(
                  r(-76, 76),
                  r(-300, -150),
                  12,
                  12,
                  r.pick(['#d9662f', '#f2d58a', '#e8a24a']),
                ),
              ),
            ],
            size,
          ),
        ),
        // The next SVG shapes draw the bicycle.
        createEllipseSvg(600, 1072, 460, 26, '#2b1a12', 0.28),
        wheel(340),
        wheel(850),
        createStrokedPathSvg('M340 880L470 610H770L560 880Z', frame, 24),
        createStrokedPathSvg('M470 610L560 880M340 880H560', frame, 20),
        createStrokedPathSvg('M452 570L470 610', '#8d9390', 16),
        createFilledPathSvg(
          'M370 560Q400 530 540 548Q556 566 520 574Q430 590 384 584Q364 578 370 560Z',
          '#5c3d27',
        ),
        createStrokedPathSvg('M850 880L760 560Q752 520 700 524L650 540', '#8d9390', 18),
        createStrokedPathSvg('M850 880L770 600', frame, 20),
        createStrokedPathSvg('M700 524L628 546', '#2f2d2b', 26),
        createEllipseSvg(740, 560, 20, 20, '#f2d58a'),
        createEllipseSvg(560, 880, 52, 52, '#8d9390'),
        createEllipseSvg(560, 880, 30, 30, '#5d6a72'),
        createStrokedPathSvg('M560 880L604 950M584 954h46', '#5d6a72', 15),
        createStrokedPathSvg('M340 862L560 832M340 898L560 930', '#4a4f55', 6),
        createFilledPathSvg('M150 880A190 190 0 0 1 470 744L452 766A168 168 0 0 0 172 880Z', frame),
        createFilledPathSvg('M660 880A190 190 0 0 1 980 744L962 766A168 168 0 0 0 682 880Z', frame),
        createStrokedPathSvg('M300 1060L420 940', '#5d6a72', 14),
        createRectSvg(220, 680, 240, 16, '#8d9390', 1, 8),
        // The next SVG shapes draw what is in the basket of the bicycle: leeks, bread and a paper bag.
        createStrokedPathSvg('M900 540l36 -170M930 540l56 -150', '#f3f0e2', 24),
        createStrokedPathSvg('M934 380l14 -90M984 396l34 -86M940 372l36 -70', '#6e8f52', 22),
        mapNumbers('842 -10, 876 8', (x, turn) =>
          place(
            x,
            540,
            [
              createFilledPathSvg('M-24 0V-150Q0 -190 24 -150V0Z', '#c57e38'),
              [-120, -80, -40].map((y) => createStrokedPathSvg(`M-12 ${y}l26 -14`, '#f3dcae', 8)),
            ],
            1,
            turn,
          ),
        ),
        createFilledPathSvg('M956 540L966 440L1052 446L1056 540Z', '#cdb489'),
        createFilledPathSvg('M780 520H1060L1024 700H816Z', '#b98650'),
        createRepeatedSvg(7, (i) =>
          createStrokedPathSvg(`M${792 + i * 43} 524L${822 + i * 33} 698`, '#7d5634', 6),
        ),
        [560, 604, 648].map((y) =>
          createStrokedPathSvg(`M${788 + (y - 520) * 0.2} ${y}H${1052 - (y - 520) * 0.2}`, '#7d5634', 6),
        ),
        createRectSvg(770, 508, 300, 24, '#8f6540', 1, 12),
      ]
    },
  },
} satisfies Record<string, DemoSceneDefinition>
