/**
 * A swipe begins a reply only if the message has moved by at least this many pixels when the finger is
 * lifted.
 */
const DISTANCE = 56
/** During a swipe, the message moves by at most this many pixels. */
const MAX_DISTANCE = 80
/** Movements of the finger by fewer pixels than this have no direction yet. */
const TOLERANCE = 12

/**
 * Lets the user drag messages of the list to the right (to the left in languages that are written from the
 * right). When the finger is lifted, calls `onReply` with the id of the message if it was dragged far enough.
 * Returns a function that removes the event listeners.
 */
export function listenForSwipesToReply(list: HTMLElement, onReply: (id: number) => void) {
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
