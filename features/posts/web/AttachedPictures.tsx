import './pictures.css'
import { type CSSProperties, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { thumbHashToDataURL } from 'thumbhash'
import { useErrorFormatter } from '#web/errors.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { showToast } from '#web/ui/Toasts.tsx'
import { type AttachedImage, toPostImageSizesAttribute } from '../contract.ts'
import { postsText } from './text.ts'

const loadLightbox = () => import('./Lightbox.tsx')
const Lightbox = lazyWithRetry(loadLightbox)

interface PicturesProps {
  images: readonly AttachedImage[]
  /** Whether the reader sees the pictures without scrolling when the page opens. */
  isAboveFold: boolean
  /** The width of all pictures together in pixels. Default: the width of a post. */
  width?: number
}

/** Renders the pictures of one post, reply or message as buttons. A press on a picture opens the lightbox. */
export function AttachedPictures({ images, isAboveFold, width }: PicturesProps) {
  const [openIndex, setOpenIndex] = useState<number | null>(null)
  const container = useRef<HTMLDivElement>(null)
  const explain = useErrorFormatter()
  // Loads the code of the lightbox before the lightbox is rendered, so that a failed download shows a message
  // and does not break the page.
  const openAt = (index: number) =>
    loadLightbox().then(
      () => setOpenIndex(index),
      (error: unknown) => showToast(explain(error), { kind: 'error' }),
    )
  const close = () => {
    const button = container.current?.children[openIndex ?? 0]
    setOpenIndex(null)
    // Focuses the button of the picture after the lightbox closes. The browser does not do that in Safari,
    // which does not focus a button when it is clicked.
    if (button instanceof HTMLElement) button.focus({ preventScroll: true })
  }
  return (
    <>
      <div className="pictures" data-count={images.length} ref={container}>
        {images.map((image, index) => (
          <PictureButton
            key={image.id}
            image={image}
            index={index}
            count={images.length}
            isAboveFold={isAboveFold}
            width={width}
            onOpen={() => openAt(index)}
          />
        ))}
      </div>
      {openIndex !== null && (
        <Suspense>
          <Lightbox images={images} start={openIndex} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

interface PictureButtonProps {
  image: AttachedImage
  index: number
  count: number
  isAboveFold: boolean
  width: number | undefined
  onOpen: () => void
}

function PictureButton({
  image,
  index,
  count,
  isAboveFold,
  width: availableWidth,
  onOpen,
}: PictureButtonProps) {
  const t = useText(postsText)
  const { width, height, alt } = image
  const button = usePlaceholder(image.placeholder, isAboveFold)
  return (
    <button
      type="button"
      ref={button}
      className="picture"
      style={{ '--ratio': width / height } as CSSProperties}
      onPointerEnter={() => loadLightbox().catch(() => {})}
      onClick={onOpen}
    >
      <span className="visually-hidden">
        {t.openPicture(index + 1, count)}
        {alt && ': '}
      </span>
      <img
        src={image.path}
        srcSet={image.srcset || undefined}
        sizes={toPostImageSizesAttribute(image, index, count, availableWidth)}
        width={width}
        height={height}
        alt={alt ?? ''}
        lang={alt ? detectLanguageOfUserText(alt) : undefined}
        loading={isAboveFold ? 'eager' : 'lazy'}
        fetchPriority={isAboveFold && index === 0 ? 'high' : undefined}
        decoding="async"
        draggable={false}
      />
      {(alt || image.animated) && (
        <span className="picture-badges" aria-hidden="true">
          {image.animated && <b>GIF</b>}
          {alt && <b>ALT</b>}
        </span>
      )}
    </button>
  )
}

/**
 * Decodes the blurred preview of a picture and draws it behind the picture: at once if `immediately` is true,
 * otherwise when the picture comes near the visible area. Returns the ref for the button that contains the
 * picture.
 */
function usePlaceholder(hash: string, immediately: boolean) {
  const ref = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const paint = () => ref.current?.style.setProperty('--blur', `center / cover ${placeholderUrl(hash)}`)
    if (immediately) return void paint()
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
  }, [hash, immediately])
  return ref
}

const placeholders = new Map<string, string>()
function placeholderUrl(hash: string) {
  if (!placeholders.has(hash)) placeholders.set(hash, `url(${decodePlaceholder(hash)})`)
  return placeholders.get(hash)
}
const decodePlaceholder = (hash: string) =>
  thumbHashToDataURL(Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0)))
