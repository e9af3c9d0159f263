import './pictures.css'
import { type CSSProperties, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { useErrorText } from '#web/errors.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { lazyWithRetry, loadAfterRender } from '#web/lazyWithRetry.ts'
import { showToast } from '#web/ui/Toasts.tsx'
import { type AttachedImage, imageSizes } from '../contract.ts'
import { postsText } from './text.ts'

const loadLightbox = () => import('./Lightbox.tsx')
const Lightbox = lazyWithRetry(loadLightbox)

interface Props {
  images: readonly AttachedImage[]
  /** The reader sees the pictures without scrolling when the page opens. */
  isAboveFold: boolean
  /** Pixels of all pictures together. Default: the width of a post. */
  width?: number
}

/** Pictures of one post, reply or message. A press on a picture opens the lightbox. */
export function AttachedPictures({ images, isAboveFold, width }: Props) {
  const [openIndex, setOpenIndex] = useState<number | null>(null)
  const container = useRef<HTMLDivElement>(null)
  const explain = useErrorText()
  // Before the lightbox is rendered, so that a failed download shows a message and does not break the page.
  const openAt = (index: number) =>
    loadLightbox().then(
      () => setOpenIndex(index),
      (error: unknown) => showToast(explain(error), { kind: 'error' }),
    )
  const close = () => {
    const button = container.current?.children[openIndex ?? 0]
    setOpenIndex(null)
    // Safari does not restore the focus, as it does not focus a button when it is clicked.
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
        sizes={imageSizes(image, index, count, availableWidth)}
        width={width}
        height={height}
        alt={alt ?? ''}
        lang={alt ? detectLanguage(alt) : undefined}
        loading={isAboveFold ? 'eager' : 'lazy'}
        fetchPriority={isAboveFold && index === 0 ? 'high' : undefined}
        decoding="async"
        draggable={false}
      />
      {(alt || image.animated) && (
        <span className="picture-badges" aria-hidden="true">
          {image.animated && <b>GIF</b>}
          {alt && <b>{t.described}</b>}
        </span>
      )}
    </button>
  )
}

const decoder = loadAfterRender(() => import('thumbhash'))

/**
 * Decodes the preview as soon as possible if `immediately` is true, otherwise when the picture comes near the
 * visible area.
 */
function usePlaceholder(hash: string, immediately: boolean) {
  const ref = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    async function paint() {
      const { thumbHashToDataURL } = await decoder
      const url = placeholderUrl(hash, thumbHashToDataURL)
      ref.current?.style.setProperty('--blur', `center / cover ${url}`)
    }
    if (immediately) return void paint()
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        void paint()
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
function placeholderUrl(hash: string, decode: (bytes: Uint8Array) => string) {
  const known = placeholders.get(hash)
  if (known) return known
  const url = `url(${decode(Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0)))})`
  placeholders.set(hash, url)
  return url
}
