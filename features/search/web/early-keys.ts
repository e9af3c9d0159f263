// What is typed before the page of the search is there: its code may still be on the way.

let early: HTMLInputElement | null = null

/** Takes the keys from now on. On phones, it also opens the keyboard, which only a press may do. */
export function keep() {
  if (early) return
  early = document.createElement('input')
  early.type = 'search'
  early.ariaHidden = 'true'
  early.tabIndex = -1
  early.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 1px; opacity: 0; pointer-events: none'
  document.body.append(early)
  early.focus({ preventScroll: true })
}

/** Returns what was typed, and takes no more. */
export function take() {
  const typed = early?.value ?? ''
  early?.remove()
  early = null
  return typed
}
