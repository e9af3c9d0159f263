import './pictures.css'
import { type CSSProperties, lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { thumbHashToDataURL } from 'thumbhash'
import { useExplain } from '#web/errors.ts'
import { langOf, useText } from '#web/i18n.ts'
import { toast } from '#web/ui/Toasts.tsx'
import { type Image, sizesOf } from '../contract.ts'
import { postsText } from './text.ts'

const loadLightbox = () => import('./Lightbox.tsx')
const Lightbox = lazy(loadLightbox)

interface PicturesProps {
  images: readonly Image[]
  /** Whether they are visible without scrolling. */
  first: boolean
  /** Their width together in pixels, where that is not the width of a post. */
  width?: number
}

/** The pictures of one post. A press opens the lightbox. */
export function Pictures({ images, first, width }: PicturesProps) {
  const [open, setOpen] = useState<number | null>(null)
  const panes = useRef<HTMLDivElement>(null)
  const explain = useExplain()
  // Loaded before it is drawn, so that a failure shows a message and does not break the page.
  const look = (at: number) =>
    loadLightbox().then(
      () => setOpen(at),
      (error: unknown) => toast(explain(error), { kind: 'bad' }),
    )
  const close = () => {
    const pane = panes.current?.children[open ?? 0]
    setOpen(null)
    // Safari does not focus a button that is clicked, so the dialog could not give the focus back.
    if (pane instanceof HTMLElement) pane.focus({ preventScroll: true })
  }
  return (
    <>
      <div className="pictures" data-count={images.length} ref={panes}>
        {images.map((image, at) => (
          <Pane
            key={image.id}
            image={image}
            at={at}
            of={images.length}
            first={first}
            width={width}
            onOpen={() => look(at)}
          />
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
  width: number | undefined
  onOpen: () => void
}

function Pane({ image, at, of, first, width: room, onOpen }: PaneProps) {
  const t = useText(postsText)
  const { width, height, alt } = image
  const pane = usePlaceholder(image.placeholder, first)
  return (
    <button
      type="button"
      ref={pane}
      className="picture"
      style={{ '--ratio': width / height } as CSSProperties}
      onPointerEnter={() => loadLightbox().catch(() => {})}
      onClick={onOpen}
    >
      <span className="hide">
        {t.openPicture(at + 1, of)}
        {alt && ': '}
      </span>
      <img
        src={image.path}
        srcSet={image.srcset || undefined}
        sizes={sizesOf(image, at, of, room)}
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

/** Decodes and paints a placeholder for the picture: at once, or when the picture comes near the screen. */
function usePlaceholder(hash: string, atOnce: boolean) {
  const ref = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const paint = () => ref.current?.style.setProperty('--blur', `center / cover ${blurOf(hash)}`)
    if (atOnce) return void paint()
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        paint()
        observer.disconnect()
      },
      { rootMargin: '800px' },
    )
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [hash, atOnce])
  return ref
}

const blurs = new Map<string, string>()
function blurOf(hash: string) {
  if (!blurs.has(hash)) blurs.set(hash, `url(${unfold(hash)})`)
  return blurs.get(hash)
}
const unfold = (hash: string) =>
  thumbHashToDataURL(Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0)))
