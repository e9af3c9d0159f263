import { useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { langOf, useText } from '#web/i18n.ts'
import { withLinks } from '#web/links.tsx'
import { postsText } from './text.ts'

/** A text with fewer letters and lines fits into twelve lines even at 320 px, so it is not measured. */
const SHORT = { letters: 180, lines: 12 }

/** The text of a post, with links. More than twelve lines are shortened until the reader opens them. */
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
    // An observer, because reading the height would force the layout of posts that are far from the window.
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
