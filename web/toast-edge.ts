/**
 * A toast tells what a press has done, so it comes at the edge away from that press: the next thing to press,
 * such as the button of the next row, stays free. One that is open stays where it is.
 */
const note = (y: number) => {
  if (document.querySelector('.toast')) return
  document.documentElement.dataset.toasts = y > innerHeight / 2 ? 'top' : 'bottom'
}
addEventListener('pointerdown', ({ clientY }) => note(clientY), { capture: true, passive: true })
// A press of Enter or Space is at what has the focus.
addEventListener(
  'keydown',
  () => {
    const { top, bottom } = document.activeElement!.getBoundingClientRect()
    if (document.activeElement !== document.body) note((top + bottom) / 2)
  },
  { capture: true },
)
