import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { postsText } from '#features/posts/text.ts'
import { langOf, useText } from '#web/text.ts'

/** Fewer letters and lines than these are never over twelve lines, even at 320 px, so they need no measuring. */
const SHORT = { letters: 180, lines: 12 }

/** What somebody wrote: line breaks kept, addresses as links, and beyond twelve lines folded away. */
export function PostText({ children: text }: { children: string }) {
  const t = useText(postsText)
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const [over, setOver] = useState(false)
  const [open, setOpen] = useState(false)
  const maybeLong = text.length > SHORT.letters || text.split('\n').length > SHORT.lines

  useLayoutEffect(() => {
    const body = ref.current
    if (!maybeLong || open || !body) return
    const measure = () => setOver(body.scrollHeight > body.clientHeight + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(body)
    return () => observer.disconnect()
  }, [maybeLong, open])

  return (
    <>
      <div ref={ref} id={id} className={maybeLong && !open ? 'body long' : 'body'} dir="auto" lang={langOf(text)}>
        {withLinks(text)}
      </div>
      {over && (
        <button type="button" className="unfold link" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {open ? t.showLess : t.showMore}
        </button>
      )}
    </>
  )
}

// Only what an address is written with: Japanese text may follow one without a space.
const addresses = /(https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+)/i

const withLinks = (text: string): ReactNode[] =>
  text.split(addresses).flatMap((part, at) => {
    const address = at % 2 ? withoutTail(part) : ''
    if (!URL.canParse(address)) return part
    return [
      // biome-ignore lint/suspicious/noArrayIndexKey: what was written never changes its order
      <a key={at} className="link" href={address} target="_blank" rel="noopener nofollow ugc">
        {address}
      </a>,
      part.slice(address.length),
    ]
  })

/** Marks at the end belong to the sentence, and a bracket too unless it was opened inside the address. */
function withoutTail(address: string): string {
  const cut = address.replace(/[.,:;!?'*~]+$/, '')
  const unopened = cut.endsWith(')') && cut.split(')').length > cut.split('(').length
  if (unopened || /[\]]$/.test(cut)) return withoutTail(cut.slice(0, -1))
  return cut
}
