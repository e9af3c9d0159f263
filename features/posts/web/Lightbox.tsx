import './lightbox.css'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { useRootDataAttributeWhileMounted } from '#web/root-attribute.ts'
import { Button } from '#web/ui/Button.tsx'
import type { AttachedImage } from '../contract.ts'
import { lightboxText } from './lightbox-text.ts'

/** The minimum length in pixels of a horizontal touch movement that counts as a swipe. */
const MIN_SWIPE = 50

interface LightboxProps {
  images: readonly AttachedImage[]
  start: number
  onClose: () => void
}

/**
 * Renders the dialog that shows the pictures of a post, reply or message one at a time. The Back button of
 * the browser, Esc, the close button and a click beside the picture close the dialog.
 */
export default function Lightbox({ images, start, onClose }: LightboxProps) {
  const t = useText(lightboxText)
  const [index, setIndex] = useState(start)
  const dialog = useRef<HTMLDialogElement>(null)
  const image = images[index]!
  const show = (by: -1 | 1) => setIndex(Math.min(Math.max(0, index + by), images.length - 1))
  const swipe = useSwipe(show)

  const close = useCloseOnBack(onClose)
  useModal(dialog, close)
  useEffect(() => {
    for (const neighbour of [images[index + 1], images[index - 1]])
      if (neighbour) new window.Image().src = neighbour.full
  }, [images, index])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') show(-1)
    if (event.key === 'ArrowRight') show(1)
  }
  return (
    <dialog ref={dialog} className="lightbox" aria-label={t.pictures} onKeyDown={onKeyDown}>
      <header>
        <span aria-live="polite">{images.length > 1 && t.position(index + 1, images.length)}</span>
        <Button kind="ghost" iconOnly icon={X} label={t.close} onClick={close} />
      </header>
      <figure>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: Esc closes */}
        <div
          className="picture-area"
          {...swipe}
          onClick={(event) => event.target === event.currentTarget && close()}
        >
          <img
            key={image.id}
            src={image.full}
            width={image.width}
            height={image.height}
            alt={image.alt ?? ''}
            lang={image.alt ? detectLanguageOfUserText(image.alt) : undefined}
            draggable={false}
          />
          {images.length > 1 && (
            <>
              <Button
                kind="ghost"
                iconOnly
                className="nav-button previous"
                icon={ChevronLeft}
                label={t.previous}
                aria-disabled={index === 0}
                onClick={() => show(-1)}
              />
              <Button
                kind="ghost"
                iconOnly
                className="nav-button next"
                icon={ChevronRight}
                label={t.next}
                aria-disabled={index === images.length - 1}
                onClick={() => show(1)}
              />
            </>
          )}
        </div>
        <figcaption dir="auto" lang={image.alt ? detectLanguageOfUserText(image.alt) : undefined}>
          {image.alt}
        </figcaption>
      </figure>
    </dialog>
  )
}

function useModal(ref: { readonly current: HTMLDialogElement | null }, onClose: () => void) {
  const handleClose = useEffectEvent(onClose)
  useRootDataAttributeWhileMounted('lightbox')
  useLayoutEffect(() => {
    const dialog = ref.current!
    const onNativeClose = () => dialog.open || handleClose()
    dialog.showModal()
    dialog.addEventListener('close', onNativeClose)
    return () => {
      dialog.removeEventListener('close', onNativeClose)
      dialog.close()
    }
  }, [ref])
}

const isLightboxEntry = () => history.state?.lightbox === true

/**
 * Adds an entry to the browser history, so that the Back button of the browser closes the lightbox. Returns a
 * function that closes the lightbox and removes the entry.
 */
function useCloseOnBack(onClose: () => void) {
  const handleClose = useEffectEvent(onClose)
  useEffect(() => {
    if (!isLightboxEntry()) history.pushState({ ...history.state, lightbox: true }, '')
    const onPop = () => isLightboxEntry() || handleClose()
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [])
  return () => {
    onClose()
    if (isLightboxEntry()) history.back()
  }
}

/**
 * Returns event handlers that call `onSwipe` with the direction of a swipe. They handle only touch, because
 * mouse users have the arrow buttons.
 */
function useSwipe(onSwipe: (by: -1 | 1) => void) {
  const from = useRef<{ x: number; y: number } | null>(null)
  return {
    onPointerDown(event: PointerEvent) {
      from.current =
        event.isPrimary && event.pointerType === 'touch' ? { x: event.clientX, y: event.clientY } : null
    },
    onPointerUp(event: PointerEvent) {
      if (!from.current) return
      const [x, y] = [event.clientX - from.current.x, event.clientY - from.current.y]
      from.current = null
      if (Math.abs(x) > MIN_SWIPE && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1)
    },
    onPointerCancel() {
      from.current = null
    },
  }
}
