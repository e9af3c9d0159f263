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
import { langOf, useText } from '#web/i18n.ts'
import { useRootAttribute } from '#web/root-attribute.ts'
import { Button } from '#web/ui/Button.tsx'
import type { Image } from '../contract.ts'
import { lightboxText } from './lightbox-text.ts'

/** A touch that moves sideways by more pixels is a swipe. */
const SWIPE = 50

interface LightboxProps {
  images: readonly Image[]
  start: number
  onClose: () => void
}

/** Shows one picture at a time. Back, Esc, the cross and the area around the picture close it. */
export default function Lightbox({ images, start, onClose }: LightboxProps) {
  const t = useText(lightboxText)
  const [at, setAt] = useState(start)
  const dialog = useRef<HTMLDialogElement>(null)
  const image = images[at]!
  const turn = (by: number) => setAt(Math.min(Math.max(0, at + by), images.length - 1))
  const swipe = useSwipe(turn)

  const leave = useBackCloses(onClose)
  useModal(dialog, leave)
  useEffect(() => {
    for (const near of [images[at + 1], images[at - 1]]) if (near) new window.Image().src = near.full
  }, [images, at])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') turn(-1)
    if (event.key === 'ArrowRight') turn(1)
  }
  return (
    <dialog ref={dialog} className="lightbox" aria-label={t.pictures} onKeyDown={onKeyDown}>
      <header>
        <span aria-live="polite">{images.length > 1 && t.place(at + 1, images.length)}</span>
        <Button kind="bare" only icon={X} label={t.close} onClick={leave} />
      </header>
      <figure>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: keys have Esc */}
        <div
          className="stage"
          {...swipe}
          onClick={(event) => event.target === event.currentTarget && leave()}
        >
          <img
            key={image.id}
            src={image.full}
            width={image.width}
            height={image.height}
            alt={image.alt ?? ''}
            lang={image.alt ? langOf(image.alt) : undefined}
            draggable={false}
          />
          {images.length > 1 && (
            <>
              <Button
                kind="bare"
                only
                className="turn back"
                icon={ChevronLeft}
                label={t.earlier}
                aria-disabled={at === 0}
                onClick={() => turn(-1)}
              />
              <Button
                kind="bare"
                only
                className="turn on"
                icon={ChevronRight}
                label={t.later}
                aria-disabled={at === images.length - 1}
                onClick={() => turn(1)}
              />
            </>
          )}
        </div>
        <figcaption dir="auto" lang={image.alt ? langOf(image.alt) : undefined}>
          {image.alt}
        </figcaption>
      </figure>
    </dialog>
  )
}

function useModal(ref: { readonly current: HTMLDialogElement | null }, onClose: () => void) {
  const closed = useEffectEvent(onClose)
  useRootAttribute('lightbox')
  useLayoutEffect(() => {
    const dialog = ref.current!
    const onNativeClose = () => dialog.open || closed()
    dialog.showModal()
    dialog.addEventListener('close', onNativeClose)
    return () => {
      dialog.removeEventListener('close', onNativeClose)
      dialog.close()
    }
  }, [ref])
}

const isOurs = () => history.state?.lightbox === true

/** Adds a history entry, so that Back closes the lightbox. Returns how to close it without a trace. */
function useBackCloses(onClose: () => void) {
  const closed = useEffectEvent(onClose)
  useEffect(() => {
    if (!isOurs()) history.pushState({ ...history.state, lightbox: true }, '')
    const onPop = () => isOurs() || closed()
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [])
  return () => {
    onClose()
    if (isOurs()) history.back()
  }
}

/** For touch only: with a mouse there are the arrows. */
function useSwipe(turn: (by: number) => void) {
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
      if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) turn(x < 0 ? 1 : -1)
    },
    onPointerCancel() {
      from.current = null
    },
  }
}
