import { useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { langOf, useText } from '#web/i18n.ts'
import { withLinks } from '#web/links.tsx'
import { postsText } from './text.ts'

/** Fewer letters and lines than these are never over twelve lines, even at 320 px, so they need no measuring. */
const SHORT = { letters: 180, lines: 12 }

/** What somebody wrote: line breaks kept, addresses as links, and beyond twelve lines folded away. */
export function PostText({ children: text, whole }: { children: string; whole?: boolean | undefined }) {
  const t = useText(postsText)
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const [over, setOver] = useState(false)
  const [open, setOpen] = useState(false)
  const maybeLong = !whole && (text.length > SHORT.letters || text.split('\n').length > SHORT.lines)

  useEffect(() => {
    const body = ref.current
    if (!maybeLong || open || !body) return
    // Told as soon as it has been laid out, and before it is seen: asking would lay out whatever is far from the window as well.
    const observer = new ResizeObserver(() => {
      const longer = body.scrollHeight > body.clientHeight + 1
      flushSync(() => setOver(longer))
    })
    observer.observe(body)
    return () => observer.disconnect()
  }, [maybeLong, open])

  return (
    <>
      <div
        ref={ref}
        id={id}
        className={maybeLong && !open ? 'body long' : 'body'}
        dir="auto"
        lang={langOf(text)}
      >
        {withLinks(text)}
      </div>
      {over && (
        <button
          type="button"
          className="unfold link"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? t.showLess : t.showMore}
        </button>
      )}
    </>
  )
}
