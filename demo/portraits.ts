import {
  appearanceOf,
  type DemoPortraitAppearance,
  type PortraitClothingStyle,
  type PortraitHairStyle,
} from './appearance.ts'
import { creaturePortraits } from './creatures.ts'
import {
  applySvgClipPath,
  createEllipseOutlineSvg,
  createEllipseSvg,
  createFilledPathSvg,
  createRectSvg,
  createRepeatedSvg,
  createStrokedPathSvg,
  mapNumbers,
  type NestedSvgMarkup,
  place,
} from './svg.ts'

const shade = '#2b1a12'

function person({ style, hair, skin, wear, cloth, ground, has }: DemoPortraitAppearance): NestedSvgMarkup {
  const head = 'M154 236C154 150 196 118 256 118S358 150 358 236C358 318 308 366 256 366S154 318 154 236Z'
  const torso = 'M44 520C52 420 110 396 206 386H306C402 396 460 420 468 520Z'
  return [
    createRectSvg(0, 0, 512, 512, ground),
    createEllipseSvg(256, 262, 224, 224, '#fffaf0', 0.32),
    behind(style, hair),
    createFilledPathSvg(torso, cloth),
    applySvgClipPath('torso', torso, [
      wear === 'stripes' ? [416, 456, 496].map((y) => createRectSvg(0, y, 512, 16, '#fffaf0', 0.75)) : '',
      createFilledPathSvg('M330 380Q470 400 480 520H380Z', shade, 0.1),
    ]),
    createFilledPathSvg('M214 320H298V388Q298 424 256 424T214 388Z', skin),
    createFilledPathSvg('M214 352Q256 392 298 352V378Q256 414 214 378Z', shade, 0.16),
    over(wear, cloth, skin),
    style === 'scarf'
      ? ''
      : mapNumbers('152, 360', (x) => [
          createEllipseSvg(x, 248, 20, 26, skin),
          createEllipseSvg(x, 250, 9, 14, shade, 0.12),
        ]),
    createFilledPathSvg(head, skin),
    applySvgClipPath('head', head, createFilledPathSvg('M300 110Q400 200 330 380H400V110Z', shade, 0.06)),
    has.has('beard')
      ? createFilledPathSvg(
          'M155 250Q166 300 204 304Q256 280 308 304Q346 300 357 250Q362 374 256 388Q150 374 155 250Z',
          hair === '#1f1916' ? '#2b2019' : hair,
        )
      : '',
    mapNumbers('206, 306', (x) => createEllipseSvg(x, 292, 25, 15, '#d9705f', 0.26)),
    has.has('freckles')
      ? mapNumbers('190 276, 206 284, 198 292, 296 284, 312 276, 316 290', (x, y) =>
          createEllipseSvg(x, y, 3, 3, '#a8613c', 0.6),
        )
      : '',
    has.has('wrinkles')
      ? createStrokedPathSvg('M168 232q10 4 14 12M344 232q-10 4 -14 12M216 176q40 -10 80 0', shade, 4, 0.28)
      : '',
    has.has('laughs')
      ? createStrokedPathSvg('M194 256Q210 238 226 256M286 256Q302 238 318 256', '#2b211c', 7)
      : mapNumbers('210, 302', (x) => [
          createEllipseSvg(x, 252, 10, 12, '#2b211c'),
          createEllipseSvg(x - 3, 247, 3, 4, '#ffffff', 0.85),
        ]),
    createStrokedPathSvg(
      'M190 222Q208 210 228 218M284 218Q304 210 322 222',
      style === 'scarf' || style === 'hat' ? '#33261f' : hair,
      7,
      0.85,
    ),
    createStrokedPathSvg('M256 262Q248 286 258 290', shade, 5, 0.35),
    has.has('moustache')
      ? createFilledPathSvg('M256 302Q226 296 208 322Q236 326 256 314Q276 326 304 322Q286 296 256 302Z', hair)
      : '',
    has.has('laughs')
      ? createFilledPathSvg('M222 316Q256 326 290 316Q286 348 256 348T222 316Z', '#8a3a34')
      : createStrokedPathSvg('M228 322Q256 344 284 322', '#8a3a34', 7),
    has.has('laughs')
      ? createFilledPathSvg('M230 319Q256 326 282 319L280 327Q256 333 232 327Z', '#fffaf0')
      : '',
    front(style, hair),
    has.has('glasses')
      ? [
          mapNumbers('208, 304', (x) => [
            createEllipseSvg(x, 252, 36, 34, '#ffffff', 0.22),
            createEllipseOutlineSvg(x, 252, 36, 34, '#3a312c', 7),
          ]),
          createStrokedPathSvg('M244 248Q256 240 268 248M172 246L154 240M340 246L358 240', '#3a312c', 7),
        ]
      : '',
    has.has('earrings') ? mapNumbers('150, 362', (x) => createEllipseSvg(x, 286, 9, 11, '#d9a441')) : '',
    has.has('pencil')
      ? place(
          364,
          226,
          [
            createRectSvg(-5, -60, 11, 84, '#d9a441'),
            createFilledPathSvg('M-5 24h11l-5.500 14Z', '#3a312c'),
            createRectSvg(-5, -68, 11, 12, '#c1452f'),
          ],
          1,
          24,
        )
      : '',
    has.has('flower')
      ? place(344, 168, [
          createRepeatedSvg(5, (i) => place(0, 0, createEllipseSvg(0, -17, 12, 15, '#f6efe0'), 1, i * 72)),
          createEllipseSvg(0, 0, 9, 9, '#d9a441'),
        ])
      : '',
  ]
}

/** Returns the SVG markup of the hair behind the head and the shoulders in a portrait. */
function behind(style: PortraitHairStyle, hair: string): NestedSvgMarkup {
  const puffs = (list: string) => mapNumbers(list, (x, y, size) => createEllipseSvg(x, y, size, size, hair))
  switch (style) {
    case 'bob':
      return createFilledPathSvg(
        'M128 350C110 150 150 84 256 84S402 150 384 350Q370 372 330 366H182Q142 372 128 350Z',
        hair,
      )
    case 'long':
      return createFilledPathSvg(
        'M120 480C110 160 150 84 256 84S402 160 392 480Q330 500 256 440Q182 500 120 480Z',
        hair,
      )
    case 'bun':
      return [
        createEllipseSvg(256, 84, 62, 56, hair),
        createFilledPathSvg('M140 260C130 130 180 96 256 96S382 130 372 260Z', hair),
        createStrokedPathSvg('M214 104Q256 122 298 104', '#fffaf0', 5, 0.2),
      ]
    case 'curls':
      return puffs(
        '150 190 52, 180 130 56, 256 104 64, 332 130 56, 362 190 52, 136 256 44, 376 256 44, 148 316 34, 364 316 34',
      )
    case 'round':
      return [createEllipseSvg(256, 206, 152, 146, hair), puffs('130 250 50, 382 250 50')]
    case 'braids':
      return [
        createFilledPathSvg('M140 280C130 130 180 90 256 90S382 130 372 280Z', hair),
        mapNumbers('136, 376', (x) => [
          createRepeatedSvg(5, (i) => createEllipseSvg(x, 300 + i * 38, 27 - i * 2, 25, hair)),
          createRectSvg(x - 15, 470, 30, 12, '#c1452f', 1, 5),
        ]),
      ]
    case 'tail':
      return [
        createFilledPathSvg('M340 130C440 110 450 280 410 400Q400 330 360 250Z', hair),
        createFilledPathSvg('M140 270C130 130 180 92 256 92S382 130 372 270Z', hair),
      ]
    case 'scarf':
      return createFilledPathSvg('M116 430C104 160 150 84 256 84S408 160 396 430Q256 480 116 430Z', hair)
    default:
      return ''
  }
}

/** Returns the SVG markup of the hair over the forehead in a portrait. */
function front(style: PortraitHairStyle, hair: string): NestedSvgMarkup {
  switch (style) {
    case 'bob':
      return createFilledPathSvg(
        'M142 262C134 150 178 98 256 98S378 150 370 262Q360 220 346 200Q256 214 166 200Q152 220 142 262Z',
        hair,
      )
    case 'long':
      return createFilledPathSvg(
        'M140 282C132 150 180 98 256 98S380 150 372 282Q366 210 276 158Q240 206 158 216Q146 244 140 282Z',
        hair,
      )
    case 'bun':
    case 'braids':
      return createFilledPathSvg(
        'M146 248C142 146 188 106 256 106S370 146 366 248Q350 176 256 150Q162 176 146 248Z',
        hair,
      )
    case 'tail':
      return createFilledPathSvg(
        'M146 248C142 146 188 104 256 104S370 146 366 248Q356 190 300 168Q220 190 164 186Q150 214 146 248Z',
        hair,
      )
    case 'curls':
      return mapNumbers('176 170 34, 216 146 38, 262 138 38, 304 150 36, 338 174 32', (x, y, size) =>
        createEllipseSvg(x, y, size, size, hair),
      )
    case 'round':
      return createFilledPathSvg(
        'M146 236Q160 168 256 160T366 236C372 150 330 96 256 96S140 150 146 236Z',
        hair,
      )
    case 'crop':
      return createFilledPathSvg(
        'M148 244C136 140 180 92 262 92Q360 92 364 244Q352 214 346 182Q256 186 176 166Q158 200 148 244Z',
        hair,
      )
    case 'wave':
      return createFilledPathSvg(
        'M146 246C126 150 170 84 250 88Q370 74 372 236Q356 206 340 184Q260 214 206 158Q170 186 146 246Z',
        hair,
      )
    case 'bald':
      return [
        createFilledPathSvg(
          'M150 262Q134 220 152 190Q164 220 162 262ZM362 262Q378 220 360 190Q348 220 350 262Z',
          hair,
        ),
        createEllipseSvg(222, 150, 40, 16, '#ffffff', 0.3),
      ]
    case 'scarf':
      return [
        createFilledPathSvg(
          'M116 430C100 300 120 84 256 84S412 300 396 430Q330 480 256 470Q330 400 356 250Q352 150 256 150T156 250Q182 400 256 470Q182 480 116 430Z',
          hair,
        ),
        createStrokedPathSvg('M146 250Q140 140 256 134T366 250M256 470Q350 400 372 270', '#2b1a12', 5, 0.18),
      ]
    case 'hat':
      return [
        createFilledPathSvg('M150 262Q140 220 152 196H172V250ZM362 262Q372 220 360 196H340V250Z', hair),
        createFilledPathSvg('M146 196C140 96 196 70 256 70S372 96 366 196Z', '#6b4a34'),
        createRectSvg(96, 184, 320, 30, '#5a3d2a', 1, 15),
        createRectSvg(150, 160, 212, 26, '#c9a24a'),
      ]
  }
}

function over(wear: PortraitClothingStyle, cloth: string, skin: string): NestedSvgMarkup {
  switch (wear) {
    case 'collar':
      return [
        createFilledPathSvg('M206 384L256 446L180 452L178 396Z', '#fffaf0'),
        createFilledPathSvg('M306 384L256 446L332 452L334 396Z', '#fffaf0'),
        createStrokedPathSvg('M256 448V520', shade, 4, 0.2),
        createEllipseSvg(256, 480, 5, 5, shade, 0.35),
      ]
    case 'kimono':
      return [
        createFilledPathSvg('M214 376L256 450L298 376Z', skin),
        createStrokedPathSvg('M202 380L262 460', '#f6efe0', 26),
        createStrokedPathSvg('M312 380L232 520', '#f6efe0', 26),
        createStrokedPathSvg('M298 376L216 520', shade, 5, 0.22),
      ]
    case 'roll':
      return [
        createRectSvg(196, 360, 120, 52, cloth, 1, 24),
        createRectSvg(196, 392, 120, 20, shade, 0.12, 10),
        createStrokedPathSvg('M216 366v36M240 364v42M268 364v42M294 366v36', shade, 4, 0.14),
      ]
    case 'apron':
      return [
        createFilledPathSvg('M160 520V440Q256 470 352 440V520Z', '#5a6f64'),
        createStrokedPathSvg('M166 446L200 388M346 446L312 388', '#5a6f64', 18),
        createFilledPathSvg('M206 386Q256 432 306 386L298 376Q256 410 214 376Z', shade, 0.14),
      ]
    case 'hood':
      return [
        createFilledPathSvg(
          'M176 392Q256 470 336 392Q372 404 360 440Q256 500 152 440Q140 404 176 392Z',
          cloth,
        ),
        createFilledPathSvg(
          'M176 392Q256 470 336 392Q372 404 360 440Q256 500 152 440Q140 404 176 392Z',
          shade,
          0.12,
        ),
        createStrokedPathSvg('M226 446v54M286 446v54', '#fffaf0', 7),
      ]
    default:
      return createFilledPathSvg('M204 386Q256 446 308 386L298 376Q256 420 214 376Z', shade, 0.16)
  }
}

/** Returns the SVG markup of a portrait of 512 × 512 pixels. The same key always gives the same portrait. */
export const portraitSvg = (key: string): NestedSvgMarkup =>
  creaturePortraits[key] ?? person(appearanceOf(key))
