import { type CSSProperties, lazy, Suspense, useRef, useState } from 'react'
import { thumbHashToDataURL } from 'thumbhash'
import type { Image } from '#features/posts/contract.ts'
import { postsText } from '#features/posts/text.ts'
import { langOf, useText } from '#web/text.ts'

const Lightbox = lazy(() => import('#features/posts/Lightbox.tsx'))

/** The pictures of one post as panes; one press looks at them closely. */
export function Pictures({ images, first }: { images: readonly Image[]; first: boolean }) {
  const [open, setOpen] = useState<number | null>(null)
  const panes = useRef<HTMLDivElement>(null)
  const close = () => {
    const pane = panes.current?.children[open ?? 0]
    setOpen(null)
    // Safari gives the focus to no button that is clicked, so the dialog would have nothing to give it back to.
    if (pane instanceof HTMLElement) pane.focus({ preventScroll: true })
  }
  return (
    <>
      <div className="pictures" data-count={images.length} ref={panes}>
        {images.map((image, at) => (
          <Pane key={image.id} image={image} at={at} of={images.length} first={first} onOpen={() => setOpen(at)} />
        ))}
      </div>
      {open !== null && (
        <Suspense>
          <Lightbox images={images} start={open} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

interface PaneProps {
  image: Image
  at: number
  of: number
  first: boolean
  onOpen: () => void
}

function Pane({ image, at, of, first, onOpen }: PaneProps) {
  const t = useText(postsText)
  const { width, height, alt } = image
  const style = { '--ratio': width / height, '--blur': `center / cover ${blurOf(image.placeholder)}` } as CSSProperties
  return (
    <button type="button" className="pane" style={style} onClick={onOpen}>
      <span className="hide">
        {t.openPicture(at + 1, of)}
        {alt && ': '}
      </span>
      <img
        src={image.path}
        srcSet={image.srcset || undefined}
        sizes={sizesOf(width / height, at, of)}
        width={width}
        height={height}
        alt={alt ?? ''}
        lang={alt ? langOf(alt) : undefined}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={first && at === 0 ? 'high' : undefined}
        decoding="async"
        draggable={false}
      />
      {(alt || image.animated) && (
        <span className="marks" aria-hidden="true">
          {image.animated && <b>GIF</b>}
          {alt && <b>ALT</b>}
        </span>
      )}
    </button>
  )
}

/** Share of the width, and shape, of each pane: the same as `.pictures` in ui.css. */
function boxOf(ratio: number, at: number, of: number): { share: number; shape: number } {
  if (of === 1) return { share: 1, shape: Math.min(Math.max(0.8, ratio), 1.91) }
  if (of === 2) return { share: 1 / 2, shape: 4 / 5 }
  if (of === 3) return at === 0 ? { share: 2 / 3, shape: 1 } : { share: 1 / 3, shape: 1 }
  return { share: 1 / 2, shape: 4 / 3 }
}

/** A picture wider than its pane is cut at the sides, so it is drawn wider than the pane is. */
function sizesOf(ratio: number, at: number, of: number) {
  const { share, shape } = boxOf(ratio, at, of)
  const drawn = share * Math.max(1, ratio / shape)
  return `(min-width: 45em) ${Math.round(634 * drawn)}px, ${Math.round(100 * drawn)}vw`
}

const blurs = new Map<string, string>()
function blurOf(hash: string) {
  if (!blurs.has(hash)) blurs.set(hash, `url(${paint(hash)})`)
  return blurs.get(hash)
}
const paint = (hash: string) => thumbHashToDataURL(Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0)))
