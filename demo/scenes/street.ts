import { drawFigure, drawHouse, drawPlanks } from '../scene-objects.ts'
import {
  applyClipPath,
  applyTransform,
  type DemoScene,
  defineGradient,
  drawFoliage,
  drawGlow,
  drawHills,
  drawSky,
  evergreenShades,
  line,
  oval,
  placeSvg,
  rect,
  repeatSvg,
  repeatSvgWithNumbers,
  ring,
  type SvgMarkup,
  type SvgPoint,
  shape,
  toCurvePath,
} from '../svg.ts'

export const streetScenes = {
  lanterns: {
    width: 1200,
    height: 1600,
    alt: { en: 'Paper lanterns above the street at night', ja: '夜の通りにつるされた提灯' },
    draw: (r) => {
      const lamp = (x: number, y: number, size: number, red: boolean): SvgMarkup => {
        const [body, edge, core] = red ? ['#e2512f', '#a8321f', '#ffb070'] : ['#fbd08a', '#d99243', '#fff3cf']
        return [
          drawGlow(x, y, size * 2.3, red ? '#ff7a45' : '#ffc36b', 0.45),
          rect(x - size * 0.3, y - size * 0.86, size * 0.6, size * 0.18, '#241a1c', 1, size * 0.05),
          oval(x, y, size * 0.62, size * 0.72, edge),
          oval(x, y, size * 0.56, size * 0.7, body),
          oval(x, y + size * 0.04, size * 0.34, size * 0.5, core, 0.75),
          [-0.42, -0.2, 0.02, 0.24, 0.46].map((dy) =>
            line(
              `M${x - size * 0.6 * Math.sqrt(1 - (dy / 0.72) ** 2)} ${y + dy * size}Q${x} ${y + (dy + 0.09) * size} ${x + size * 0.6 * Math.sqrt(1 - (dy / 0.72) ** 2)} ${y + dy * size}`,
              edge,
              2.5,
              0.7,
            ),
          ),
          rect(x - size * 0.26, y + size * 0.66, size * 0.52, size * 0.16, '#241a1c', 1, size * 0.05),
          line(`M${x} ${y + size * 0.82}v${size * 0.3}`, red ? '#e2512f' : '#c1452f', size * 0.08),
        ]
      }
      const string = (y: number, sag: number, count: number, size: number, odd: number): SvgMarkup => {
        const at = (x: number) => y + sag * (1 - ((x - 600) / 660) ** 2)
        return [
          line(
            toCurvePath(
              Array.from({ length: 13 }, (_, i): SvgPoint => [-60 + i * 110, at(-60 + i * 110) - size * 0.9]),
            ),
            '#1a1420',
            4,
          ),
          repeatSvg(count, (i) => {
            const x = ((i + 0.5) / count) * 1200 + r(-8, 8)
            return lamp(x, at(x), size, (i + odd) % 2 === 0)
          }),
        ]
      }
      const shop = (side: number): SvgMarkup =>
        placeSvg(
          side > 0 ? 1200 : 0,
          0,
          applyTransform(`scale(${-side} 1)`, [
            shape('M-20 560L300 690V1330L-20 1480Z', '#2c2430'),
            shape('M-20 520L340 680V724L-20 590Z', '#3b3140'),
            shape('M20 800L250 850V1240L20 1330Z', '#ffca78'),
            shape('M20 800L250 850V1240L20 1330Z', '#ef9a4c', 0.35),
            [78, 136, 194].map((x) => line(`M${x} ${812 + x * 0.2}V${1336 - x * 0.38}`, '#4a3230', 7)),
            line('M20 1060L250 1050', '#4a3230', 7),
            [0, 1, 2].map((i) =>
              shape(
                `M${24 + i * 78} ${796 + i * 17}l70 15v150q-34 10 -70 -4Z`,
                ['#34466e', '#3c5180', '#34466e'][i]!,
              ),
            ),
          ]),
        )
      return [
        drawSky(1200, 1100, ['#101a38', '#1f2a52', '#3f3f68', '#7c5a68']),
        repeatSvg(70, () => oval(r(0, 1200), r(0, 520), r(0.8, 2.6), r(0.8, 2.6), '#fff', r(0.3, 0.9))),
        oval(900, 190, 58, 58, '#fbeecb'),
        drawGlow(900, 190, 210, '#fbeecb', 0.3),
        drawHills(r, 1200, 760, 46, 1200, '#2d2f52', 4),
        [330, 470, 620, 750].map((x, i) =>
          drawHouse(x, 1010, 150, i % 2 ? '#2a2740' : '#332c45', '#3f3550', true),
        ),
        drawGlow(600, 1040, 420, '#ffb765', 0.7),
        shape('M330 1000H870L1300 1600H-100Z', '#4b3a48'),
        shape('M470 1000H730L940 1600H260Z', '#7a5548', 0.75),
        string(640, 70, 9, 36, 0),
        string(470, 110, 7, 60, 1),
        [-1, 1].map(shop),
        repeatSvg(13, (i) =>
          drawFigure(
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
        drawFigure(300, 1560, 330, '#33406a', '#191318', '#1c1724', '#b07f64'),
        drawFigure(420, 1560, 210, '#b8543c', '#191318', '#1c1724', '#b07f64'),
        drawFigure(910, 1590, 350, '#6a4a68', '#191318', '#1c1724', '#b07f64'),
        repeatSvgWithNumbers('366 1450 30, 840 1480 34', (x, y, size) => lamp(x, y, size, true)),
        rect(0, 0, 1200, 1600, '#ff9a4d', 0.05),
      ]
    },
  },

  umbrella: {
    width: 800,
    height: 1600,
    alt: { en: 'A red umbrella left open in a wet lane', ja: '雨の路地に開いたまま置かれた赤い傘' },
    draw: (r, { leaf }) => {
      const canopy = (opacity = 1): SvgMarkup => {
        const rim = (n: number): [number, number] => [
          Math.cos((n / 12) * 2 * Math.PI) * 262,
          Math.sin((n / 12) * 2 * Math.PI) * 222,
        ]
        return [
          `<g opacity="${opacity}">`,
          repeatSvg(12, (i) => {
            const [[ax, ay], [bx, by], [mx, my]] = [rim(i), rim(i + 1), rim(i + 0.5)]
            return shape(
              `M-46 -40L${ax} ${ay}Q${mx * 0.97} ${my * 0.97} ${bx} ${by}Z`,
              ['#b23524', '#c4412c', '#d4543a', '#dd6446', '#d4543a', '#c4412c'][(i + 10) % 6]!,
            )
          }),
          applyClipPath(
            `rim${opacity}`,
            `M${rim(0)}${Array.from({ length: 12 }, (_, i) => `Q${rim(i + 0.5).map((n) => n * 0.97)} ${rim(i + 1)}`).join('')}`,
            [
              ring(-10, -9, 206, 174, '#f6e7cd', 30, 0.92),
              repeatSvg(12, (i) => line(`M-46 -40L${rim(i)[0]} ${rim(i)[1]}`, '#7d2216', 3, 0.5)),
            ],
          ),
          oval(-46, -40, 22, 18, '#3a2a22'),
          '</g>',
        ]
      }
      return [
        drawSky(800, 700, ['#9aa9b0', '#c3ccca', '#e3e1d3']),
        drawHills(r, 800, 420, 30, 700, '#a5b4b3', 3),
        [330, 420, 480].map((x) => drawFoliage(r, x, 480, 90, 80, evergreenShades, 9)),
        shape('M300 640L350 420H470L500 640Z', '#8d9590'),
        shape('M318 450L410 360L506 450Z', '#5d6a72'),
        // the lane
        defineGradient('wet', '#a9b2b0', '#7d8889', '#5f6b70'),
        shape('M330 600H480L960 1600H-160Z', 'url(#wet)'),
        repeatSvg(15, (row) => {
          const y = 620 + (row / 15) ** 1.6 * 980
          const half = 90 + (y - 600) * 0.5
          return [
            line(`M${405 - half} ${y}H${405 + half}`, '#566165', 1 + row * 0.35, 0.55),
            repeatSvg(5, (i) =>
              line(
                `M${405 - half + ((i + (row % 2) * 0.5) / 5) * half * 2} ${y}l${(i - 2.3) * 6} ${22 + row * 5}`,
                '#566165',
                1 + row * 0.3,
                0.45,
              ),
            ),
          ]
        }),
        // left: boards, a lit lattice window, a half curtain
        shape('M-10 -10H230L330 330V640L-10 1420Z', '#5b4536'),
        repeatSvg(9, (i) => line(`M${i * 40} ${-10 + i * 16}V${1400 - i * 92}`, '#463428', 5)),
        shape('M20 520L210 530V820L20 960Z', '#ffd58c'),
        shape('M20 520L210 530V820L20 960Z', '#e8934a', 0.3),
        [60, 100, 140, 178].map((x) => line(`M${x} 524V${946 - x * 0.7}`, '#463428', 7)),
        line('M20 720L210 680', '#463428', 7),
        drawGlow(120, 740, 260, '#ffc97a', 0.4),
        shape('M-10 300L300 400L340 360L230 250L-10 180Z', '#4b555b'),
        shape('M-10 288L304 394L300 412L-10 322Z', '#39424a'),
        [252, 286].map((x, i) => shape(`M${x} ${452 + i * 4}h28v112q-14 8 -28 0Z`, '#34466e')),
        // right: plaster, fence, a branch over it
        shape('M810 -10H560L486 320V640L810 1300Z', '#dcd3bf'),
        shape('M810 900L486 560V640L810 1300Z', '#8a6a48'),
        repeatSvg(8, (i) => line(`M${500 + i * 44} ${576 + i * 46}V${660 + i * 90}`, '#6b4f34', 8)),
        shape('M810 240L476 350L470 322L560 220L810 60Z', '#4b555b'),
        drawFoliage(r, 700, 330, 170, 110, leaf, 12),
        drawFoliage(r, 790, 480, 130, 90, leaf, 12),
        placeSvg(640, 1130, [
          shape('M-70 0L-54 96H54L70 0Z', '#8c6a50'),
          oval(0, 0, 70, 16, '#5c4433'),
          drawFoliage(r, 0, -60, 96, 70, ['#3d6650', '#5f8a66', '#9ab77d'], 10),
          repeatSvg(7, () => oval(r(-70, 70), r(-110, -20), 13, 12, '#6f86b8')),
        ]),
        applyTransform('translate(410 1420) scale(1 -.55)', canopy(0.38)),
        oval(420, 1250, 250, 34, '#222a2e', 0.4),
        line('M430 1060L640 1250q22 22 40 2', '#6b4a30', 15),
        placeSvg(400, 1030, canopy(), 1, -14),
        repeatSvgWithNumbers('200 1400 60, 600 1480 80, 330 1540 70, 130 1240 40, 520 1330 44', (x, y, w) => [
          ring(x, y, w, w * 0.24, '#dfe7e6', 3, 0.7),
          ring(x, y, w * 0.5, w * 0.12, '#dfe7e6', 2.5, 0.7),
        ]),
        repeatSvg(150, () => {
          const [x, y, l] = [r(0, 820), r(-40, 1560), r(26, 70)]
          return line(`M${x} ${y}l${-l * 0.16} ${l}`, '#f2f6f6', 2, r(0.2, 0.55))
        }),
      ]
    },
  },

  bicycle: {
    width: 1600,
    height: 1200,
    alt: {
      en: 'A bicycle with a full basket, leaning by the gate',
      ja: '門のわきに立てかけた、かごいっぱいの自転車',
    },
    draw: (r, { leaf, hour }) => {
      const frame = r.pick(['#3f6f72', '#b8452f', '#3e5d86', '#6e8048', '#d0993a'])
      const wheel = (x: number): SvgMarkup => [
        ring(x, 880, 186, 186, '#2f2d2b', 20),
        ring(x, 880, 168, 168, '#b9bdbc', 7),
        repeatSvg(18, (i) =>
          line(
            `M${x} 880L${x + Math.cos((i * Math.PI) / 9) * 166} ${880 + Math.sin((i * Math.PI) / 9) * 166}`,
            '#9aa09f',
            2.5,
          ),
        ),
        oval(x, 880, 17, 17, '#5d6a72'),
      ]
      return [
        rect(0, 0, 1600, 1200, '#e6dcc6'),
        repeatSvg(80, () => oval(r(0, 1600), r(0, 800), r(4, 60), r(1, 4), '#d0c3a6', 0.5)),
        shape('M-20 0H700L-20 900Z', hour === 'gold' ? '#ffdca6' : '#fff6df', 0.6),
        drawPlanks(r, 0, 700, 1600, 330, 20, ['#6b5546', '#63503f', '#735c4b'], true),
        rect(0, 690, 1600, 22, '#4d3b2e'),
        // lattice window and door
        rect(160, 190, 420, 370, '#5c4534'),
        rect(180, 210, 380, 330, '#f3dfae'),
        repeatSvg(9, (i) => rect(196 + i * 42, 210, 16, 330, '#6b4f3a')),
        rect(140, 176, 460, 24, '#4d3b2e'),
        rect(1170, 150, 370, 884, '#5c4534'),
        rect(1194, 174, 322, 860, '#8a6a4a'),
        repeatSvg(6, (i) => rect(1206 + i * 52, 174, 14, 860, '#5c4534')),
        rect(1194, 600, 322, 22, '#5c4534'),
        [0, 1, 2].map((i) =>
          shape(`M${1186 + i * 114} 170h108v220q-52 22 -108 0Z`, ['#34466e', '#3c5180', '#34466e'][i]!),
        ),
        [0, 1, 2].map((i) => ring(1240 + i * 114, 290, 26, 26, '#e8dcc4', 9)),
        rect(0, -10, 1600, 60, '#4b555b'),
        repeatSvg(27, (i) => oval(i * 62 + 20, 56, 29, 20, '#5d6a72')),
        rect(0, 44, 1600, 12, '#39424a'),
        rect(0, 80, 1600, 40, '#2b2622', 0.1),
        // ground
        rect(0, 1030, 1600, 170, '#b5b0a2'),
        rect(0, 1030, 1600, 14, '#8d887b'),
        repeatSvg(8, (i) => line(`M${i * 240 - 60} 1200L${i * 220 + 20} 1044`, '#9a9587', 5)),
        drawFoliage(r, 1030, 90, 190, 110, leaf, 12),
        drawFoliage(r, 860, 50, 140, 80, leaf, 10),
        repeatSvg(30, () =>
          placeSvg(r(0, 1600), r(1040, 1190), oval(0, 0, r(8, 15), r(4, 7), r.pick(leaf)), 1, r(-30, 30)),
        ),
        // pots by the wall
        repeatSvgWithNumbers('90 1.1, 1070 0.95', (x, size, i) =>
          placeSvg(
            x,
            1056,
            [
              oval(8, 0, 84, 12, '#2b1a12', 0.3),
              shape('M-74 -120L-56 0H56L74 -120Z', i ? '#4f7a86' : '#b5654a'),
              rect(-82, -138, 164, 34, i ? '#5f8f9a' : '#c4775a', 1, 6),
              drawFoliage(r, 0, -220, 96, 100, ['#3d6650', '#5f8a66', '#9ab77d'], 11),
              repeatSvg(i ? 10 : 0, () =>
                oval(r(-76, 76), r(-300, -150), 12, 12, r.pick(['#d9662f', '#f2d58a', '#e8a24a'])),
              ),
            ],
            size,
          ),
        ),
        // the bicycle
        oval(600, 1072, 460, 26, '#2b1a12', 0.28),
        wheel(340),
        wheel(850),
        line('M340 880L470 610H770L560 880Z', frame, 24),
        line('M470 610L560 880M340 880H560', frame, 20),
        line('M452 570L470 610', '#8d9390', 16),
        shape('M370 560Q400 530 540 548Q556 566 520 574Q430 590 384 584Q364 578 370 560Z', '#5c3d27'),
        line('M850 880L760 560Q752 520 700 524L650 540', '#8d9390', 18),
        line('M850 880L770 600', frame, 20),
        line('M700 524L628 546', '#2f2d2b', 26),
        oval(740, 560, 20, 20, '#f2d58a'),
        oval(560, 880, 52, 52, '#8d9390'),
        oval(560, 880, 30, 30, '#5d6a72'),
        line('M560 880L604 950M584 954h46', '#5d6a72', 15),
        line('M340 862L560 832M340 898L560 930', '#4a4f55', 6),
        shape('M150 880A190 190 0 0 1 470 744L452 766A168 168 0 0 0 172 880Z', frame),
        shape('M660 880A190 190 0 0 1 980 744L962 766A168 168 0 0 0 682 880Z', frame),
        line('M300 1060L420 940', '#5d6a72', 14),
        rect(220, 680, 240, 16, '#8d9390', 1, 8),
        // the basket: leeks, bread, a paper bag
        line('M900 540l36 -170M930 540l56 -150', '#f3f0e2', 24),
        line('M934 380l14 -90M984 396l34 -86M940 372l36 -70', '#6e8f52', 22),
        repeatSvgWithNumbers('842 -10, 876 8', (x, turn) =>
          placeSvg(
            x,
            540,
            [
              shape('M-24 0V-150Q0 -190 24 -150V0Z', '#c57e38'),
              [-120, -80, -40].map((y) => line(`M-12 ${y}l26 -14`, '#f3dcae', 8)),
            ],
            1,
            turn,
          ),
        ),
        shape('M956 540L966 440L1052 446L1056 540Z', '#cdb489'),
        shape('M780 520H1060L1024 700H816Z', '#b98650'),
        repeatSvg(7, (i) => line(`M${792 + i * 43} 524L${822 + i * 33} 698`, '#7d5634', 6)),
        [560, 604, 648].map((y) =>
          line(`M${788 + (y - 520) * 0.2} ${y}H${1052 - (y - 520) * 0.2}`, '#7d5634', 6),
        ),
        rect(770, 508, 300, 24, '#8f6540', 1, 12),
      ]
    },
  },
} satisfies Record<string, DemoScene>
