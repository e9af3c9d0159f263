import { callEndpoint } from '#web/api.ts'
import { MAX_SEEN_POSTS, notificationEndpoints } from '../contract.ts'
import { RELOAD_INTERVAL, unreadStore } from './unread-count.ts'

// What was on the screen in a list of posts is no news any more.

/** Newest last. */
const seen = new Set<number>()
const ids = new Map<Element, number>()
let isWaiting = false
let member = 0
/** Of the last request, so that the same is not asked again. */
let asked = ''

function tellSoon() {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    const { count, last_event_id } = unreadStore.get()
    const posts = [...seen].slice(-MAX_SEEN_POSTS)
    const now = `${last_event_id} ${posts.length} ${posts.at(-1)}`
    if (!count || !posts.length || now === asked || document.hidden) return
    asked = now
    callEndpoint(notificationEndpoints.markPostsSeen, { posts }).then(
      (unread) => unreadStore.patch(unread),
      // The number at the bell icon stays, and the next event or post tries again.
      () => {},
    )
  }, 2 * RELOAD_INTERVAL)
}

/** A post counts when it is well above the lower edge of the window. */
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) {
        seen.add(ids.get(target)!)
        observer.unobserve(target)
        tellSoon()
      }
  },
  { rootMargin: '0px 0px -20% 0px' },
)
// A notification may come after its post.
unreadStore.subscribe(tellSoon)
document.addEventListener('visibilitychange', tellSoon)

/** Returns a function that ends this. */
export function watch(card: Element, post: number, me: number) {
  if (me !== member) seen.clear()
  member = me
  ids.set(card, post)
  observer.observe(card)
  return () => {
    observer.unobserve(card)
    ids.delete(card)
  }
}
