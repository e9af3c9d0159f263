import { expect, test } from 'vitest'
import { placeMenu } from '#web/ui/menu-position.ts'

const view = { left: 0, top: 0, right: 390, bottom: 844 }
const button = (left: number, top: number) => ({ left, top, right: left + 44, bottom: top + 44 })
const place = (
  menu: { width: number; height: number },
  at = button(300, 395),
  seen = view,
  isAtLeft = false,
) => placeMenu({ at, menu, view: seen, isAtLeft })

test('a menu is below its button, or above where it only fits there', () => {
  expect(place({ width: 208, height: 300 })).toEqual({ left: 136, top: 445 })
  expect(place({ width: 208, height: 300 }, button(300, 700))).toEqual({ left: 136, top: 394 })
  expect(place({ width: 208, height: 300 }, button(20, 395), view, true)).toEqual({ left: 20, top: 445 })
})

test('a menu that fits on neither side lies over its button, inside of the view', () => {
  expect(place({ width: 208, height: 500 })).toEqual({ left: 136, top: 336 })
  expect(place({ width: 208, height: 828 }).top).toBe(8)
  expect(place({ width: 374, height: 300 })).toEqual({ left: 8, top: 445 })
  expect(place({ width: 208, height: 300 }, button(340, 395), view, true).left).toBe(174)
})

test('the view ends above the keyboard of a phone, and moves with it', () => {
  const seen = { ...view, top: 200, bottom: 500 }
  expect(place({ width: 208, height: 284 }, undefined, seen).top).toBe(208)
  expect(place({ width: 208, height: 120 }, undefined, seen).top).toBe(269)
})
