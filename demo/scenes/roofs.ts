import {
  createConiferSvg,
  createEllipseSvg,
  createFilledPathSvg,
  createGlowSvg,
  createHillsSvg,
  createMountainSvg,
  createRectSvg,
  createRepeatedSvg,
  createSkySvg,
  createStrokedPathSvg,
  type DemoSceneDefinition,
  type NestedSvgMarkup,
  place,
} from '../svg.ts'

export const roofScenes = {
  roofs: {
    width: 1600,
    height: 900,
    alt: { en: 'Snow on the roofs of the town in the evening', ja: '夕方の町、屋根に積もった雪' },
    draw: (r, { hour }) => {
      const air = hour === 'gold' ? ['#5d6b95', '#b79aae', '#f0c9b4'] : ['#3c5072', '#7189a6', '#c3cfd9']
      const home = (
        x: number,
        y: number,
        w: number,
        wall: string,
        lit: boolean,
        up = Math.min(116, w * 0.36),
      ): NestedSvgMarkup => [
        createRectSvg(x, y, w, 500, wall),
        createRectSvg(x, y, w, 34, '#1c2436', 0.35),
        createRepeatedSvg(Math.floor(w / 120), (i) => {
          const wx = x + 40 + i * 120
          return [
            createRectSvg(wx, y + 70, 70, 84, lit ? '#ffd78a' : '#46536e'),
            createStrokedPathSvg(`M${wx + 35} ${y + 70}v84M${wx} ${y + 112}h70`, '#3a2d2a', 5),
            lit ? createGlowSvg(wx + 35, y + 112, 120, '#ffc874', 0.35) : '',
            createRectSvg(wx - 6, y + 150, 82, 12, '#f4f7fa', 1, 6),
          ]
        }),
        createFilledPathSvg(
          `M${x - 0.12 * w} ${y + 22}L${x + w * 0.14} ${y - up * 0.8}H${x + w * 0.86}L${x + 1.12 * w} ${y + 22}Z`,
          '#4a566e',
        ),
        createFilledPathSvg(
          `M${x - 0.14 * w} ${y + 18}q${-0.02 * w} -20 ${0.04 * w} -30L${x + w * 0.12} ${y - up}Q${x + w * 0.5} ${y - up * 1.22} ${x + w * 0.88} ${y - up}L${x + 1.1 * w} ${y - 12}q${0.06 * w} 10 ${0.04 * w} 30Q${x + w * 0.8} ${y - 8} ${x + w * 0.6} ${y + 12}T${x + w * 0.2} ${y + 8}T${x - 0.14 * w} ${y + 18}Z`,
          '#eef3f8',
        ),
        createFilledPathSvg(
          `M${x + w * 0.5} ${y - up * 1.11}Q${x + w * 0.7} ${y - up * 1.13} ${x + w * 0.88} ${y - up}L${x + 1.1 * w} ${y - 12}q${0.06 * w} 10 ${0.04 * w} 30Q${x + w * 0.8} ${y - 8} ${x + w * 0.68} ${y + 8}Z`,
          '#cfdae8',
        ),
      ]
      return [
        createSkySvg(1600, 700, air),
        createMountainSvg(r, 1120, 150, 520, 620, ['#5e7192', '#7f91ad', '#f2f5f9']),
        createHillsSvg(r, 1600, 470, 36, 700, '#8d9db5', 5),
        createRepeatedSvg(30, (i) =>
          createConiferSvg(i * 58 + r(-20, 20), 520 + r(-14, 20), r(80, 130), ['#43586d', '#566d80', '']),
        ),
        createRepeatedSvg(9, (i) =>
          home(
            i * 190 - 60 + r(-20, 20),
            490 + r(-16, 24),
            130,
            r.pick(['#6b6f7f', '#77707a', '#5f6a80']),
            r() < 0.5,
          ),
        ),
        home(-60, 620, 420, '#6a5550', true),
        home(520, 640, 330, '#5b5f70', r() < 0.5),
        home(1010, 610, 430, '#735d50', true),
        createStrokedPathSvg('M1300 470C1290 430 1330 410 1312 360S1340 300 1322 250', '#f2f2f2', 26, 0.28),
        createRectSvg(1276, 440, 52, 90, '#5a4a48'),
        createRectSvg(1268, 430, 68, 18, '#eef3f8', 1, 9),
        home(250, 790, 420, '#58504f', true),
        home(800, 800, 340, '#66564e', true),
        home(1310, 790, 400, '#565b6c', r() < 0.6),
        // The next SVG shapes draw a pole with telegraph wires.
        createRectSvg(706, 420, 16, 480, '#2f3242'),
        createRectSvg(660, 450, 108, 10, '#2f3242'),
        createStrokedPathSvg('M-20 400Q340 520 714 452T1620 420', '#2f3242', 3),
        createStrokedPathSvg('M-20 430Q340 550 714 462T1620 450', '#2f3242', 3),
        createRepeatedSvg(3, (i) =>
          place(1010 + i * 30, 405 + (i % 2) - i * 2, [
            createEllipseSvg(0, -12, 11, 12, '#40342f'),
            createEllipseSvg(4, -22, 7, 7, '#40342f'),
            createEllipseSvg(1, -9, 6, 7, '#d9c6ae'),
          ]),
        ),
        createRepeatedSvg(240, () =>
          createEllipseSvg(r(0, 1600), r(0, 900), r(1.5, 5), r(1.5, 5), '#ffffff', r(0.35, 0.9)),
        ),
      ]
    },
  },
} satisfies Record<string, DemoSceneDefinition>
