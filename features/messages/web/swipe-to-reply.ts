/** In pixels: a shorter swipe begins no reply. */
const DISTANCE = 56
/** The message moves by at most this many pixels. */
const MAX_DISTANCE = 80
/** Movements by fewer pixels have no direction yet. */
const TOLERANCE = 12

/** Messages are dragged to the right, in right-to-left languages to the left. Returns a function to stop. */
export function listenForSwipes(list: HTMLElement, onReply: (id: number) => void) {
  let swipe: { message: HTMLElement; x: number; y: number; distance: number; isSwipe: boolean } | null = null
  const direction = getComputedStyle(list).direction === 'rtl' ? -1 : 1

  const end = () => {
    if (swipe) swipe.message.style.translate = ''
    swipe = null
  }
  const begin = ({ touches, target }: TouchEvent) => {
    end()
    const message = (target as Element).closest<HTMLElement>('[data-message]:has(> .actions)')
    const [touch] = touches
    if (message && touch && touches.length === 1 && !(target as Element).closest('.menu'))
      swipe = { message, x: touch.clientX, y: touch.clientY, distance: 0, isSwipe: false }
  }
  const move = ({ touches: [touch] }: TouchEvent) => {
    if (!swipe || !touch) return
    const dx = (touch.clientX - swipe.x) * direction
    const dy = Math.abs(touch.clientY - swipe.y)
    if (!swipe.isSwipe && dy > TOLERANCE && dy > dx) return end()
    swipe.isSwipe ||= dx > TOLERANCE && dx > dy
    if (!swipe.isSwipe) return
    swipe.distance = Math.max(0, Math.min(dx, MAX_DISTANCE))
    swipe.message.style.translate = `${swipe.distance * direction}px`
  }
  const finish = () => {
    const id = swipe && swipe.distance >= DISTANCE ? Number(swipe.message.dataset.message) : 0
    end()
    if (id) onReply(id)
  }

  const stop = new AbortController()
  const options = { passive: true, signal: stop.signal }
  list.addEventListener('touchstart', begin, options)
  list.addEventListener('touchmove', move, options)
  list.addEventListener('touchend', finish, options)
  list.addEventListener('touchcancel', end, options)
  return () => {
    end()
    stop.abort()
  }
}
