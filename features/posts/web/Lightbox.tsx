import { pressed } from '#web/keyboard.ts'
import './lightbox.css'
import { ChevronLeft, ChevronRight, Download, Pause, Play, X, ZoomIn, ZoomOut } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useErrorText } from '#web/errors.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { useRootAttribute } from '#web/root-attribute.ts'
import { Button } from '#web/ui/Button.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import type { AttachedImage } from '../contract.ts'
import { lightboxText } from './menu-text.ts'
import { savePicture } from './save-picture.ts'

/** Pixels of a horizontal touch movement. */
const MIN_SWIPE = 50

interface Props {
  images: readonly AttachedImage[]
  start: number
  onClose: () => void
  /** Below the description of the picture. */
  caption?: (index: number) => ReactNode
  /** With a button that shows one after the other; `true` begins at once. */
  slideShow?: boolean
  /** The pictures may grow at their end. */
  onShow?: (index: number) => void
}

/** Back, Esc, the close button and a click beside the picture close it. */
export default function Lightbox({ images, start, onClose, caption, slideShow, onShow }: Props) {
  const t = useText(lightboxText)
  const [index, setIndex] = useState(start)
  const dialog = useRef<HTMLDialogElement>(null)
  const image = images[Math.min(index, images.length - 1)]!
  const show = (by: -1 | 1) => {
    const next = Math.min(Math.max(0, index + by), images.length - 1)
    setIndex(next)
    onShow?.(next)
    zoom.reset()
  }
  const area = useRef<HTMLDivElement>(null)
  const zoom = useZoom(area)
  const swipe = useSwipe(show)
  const { save, isSaving } = useSave(image)

  const player = useSlideShow(slideShow === true, index < images.length - 1, image.full, () => show(1))
  const close = useCloseOnBack(onClose)
  useModal(dialog, close)
  useEffect(() => {
    for (const neighbour of [images[index + 1], images[index - 1]])
      if (neighbour) new window.Image().src = neighbour.full
  }, [images, index])

  const onKeyDown = (event: KeyboardEvent) => {
    if (pressed(event) === 'ArrowLeft') show(-1)
    if (pressed(event) === 'ArrowRight') show(1)
  }
  return (
    <dialog ref={dialog} className="lightbox" aria-label={t.pictures} onKeyDown={onKeyDown}>
      <header>
        <span aria-live="polite">{images.length > 1 && t.position(index + 1, images.length)}</span>
        {slideShow !== undefined && images.length > 1 && (
          <Button
            kind="ghost"
            iconOnly
            icon={player.isOn ? Pause : Play}
            label={player.isOn ? t.pause : t.play}
            onClick={player.toggle}
          />
        )}
        <Button
          kind="ghost"
          iconOnly
          icon={zoom.isOn ? ZoomOut : ZoomIn}
          label={zoom.isOn ? t.smaller : t.larger}
          onClick={() => zoom.toggle()}
        />
        <Button kind="ghost" iconOnly icon={Download} label={t.save} pending={isSaving} onClick={save} />
        <Button kind="ghost" iconOnly icon={X} label={t.close} onClick={close} />
      </header>
      <figure>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: Esc closes */}
        <div
          ref={area}
          className="picture-area"
          data-zoomed={zoom.isOn || undefined}
          {...(zoom.isOn ? {} : swipe)}
          onClick={(event) => event.target === event.currentTarget && close()}
        >
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button in the header does the same */}
          <img
            key={image.id}
            onClick={zoom.toggle}
            src={image.full}
            width={image.width}
            height={image.height}
            alt={image.alt ?? ''}
            lang={image.alt ? detectLanguage(image.alt) : undefined}
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
        <figcaption dir="auto" lang={image.alt ? detectLanguage(image.alt) : undefined}>
          {image.alt}
          {caption?.(index)}
        </figcaption>
      </figure>
    </dialog>
  )
}

/** In ms. */
const SLIDE = 5000

/** Ends with the last picture. The screen stays on while it runs. */
function useSlideShow(begins: boolean, hasNext: boolean, picture: string, onNext: () => void) {
  const [isChosen, setChosen] = useState(begins)
  const isOn = isChosen && hasNext
  const next = useEffectEvent(onNext)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each picture has the whole time
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => next(), SLIDE)
    return () => clearTimeout(timer)
  }, [isOn, picture])
  useEffect(() => {
    if (!isOn || !('wakeLock' in navigator)) return
    const lock = navigator.wakeLock.request('screen').catch(() => null)
    return () => void lock.then((held) => held?.release())
  }, [isOn])
  return { isOn, toggle: () => setChosen(!isOn) }
}

function useModal(ref: { readonly current: HTMLDialogElement | null }, onClose: () => void) {
  const handleClose = useEffectEvent(onClose)
  useRootAttribute('lightbox')
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

/** Adds an entry to the history, which the returned function removes when it closes the lightbox. */
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

/** A second click, or the next picture, shows the whole picture again. */
function useZoom(area: { readonly current: HTMLDivElement | null }) {
  /** The part of the picture that comes to the middle: 0 to 1 from its left and upper edge. */
  const [centre, setCentre] = useState<{ x: number; y: number } | null>(null)
  useLayoutEffect(() => {
    const { current } = area
    if (!centre || !current) return
    current.scrollTo({
      left: centre.x * current.scrollWidth - current.clientWidth / 2,
      top: centre.y * current.scrollHeight - current.clientHeight / 2,
      behavior: 'instant',
    })
  }, [area, centre])
  const toggle = (event?: MouseEvent) => {
    const box = event?.currentTarget.getBoundingClientRect()
    const clicked = event &&
      box && { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height }
    setCentre(centre ? null : (clicked ?? { x: 0.5, y: 0.5 }))
  }
  return { isOn: centre !== null, toggle, reset: () => setCentre(null) }
}

function useSave(image: AttachedImage) {
  const explain = useErrorText()
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    await savePicture(image).catch((error: unknown) => showToast(explain(error), { kind: 'error' }))
    setSaving(false)
  }
  return { save, isSaving }
}

/** Only for touch: mouse users have the arrow buttons. */
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
