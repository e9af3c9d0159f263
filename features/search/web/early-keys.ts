// What is typed before the page of the search is there: its code may still be on the way.

let early: HTMLInputElement | null = null

/** Takes the keys until something else has the focus. On phones, it opens the keyboard, which only a press may do. */
export function keep() {
  if (early) return
  const input = document.createElement('input')
  input.ariaHidden = 'true'
  input.tabIndex = -1
  input.style.cssText = 'position: fixed; top: 0; opacity: 0; pointer-events: none'
  input.onblur = () => {
    input.remove()
    early = null
  }
  early = input
  document.body.append(input)
  input.focus({ preventScroll: true })
}

export const read = () => early?.value ?? ''
