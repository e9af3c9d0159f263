import './voice.css'
import { Download, Pause, Play } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { createStore, useStore } from '#web/store.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { pauseOtherSounds } from './pause-sounds.ts'
import { voiceMessageUiText } from './voice-text.ts'

// This file has the player of voice messages. The browser loads this code when the first voice message is
// shown, or when the recorder is loaded.

const speeds = [1, 1.5, 2]
/** The playback speed, which all voice players of this window share. */
const speed = createStore(1)
/**
 * The number of key presses with which the arrow keys move the position from the beginning to the end of a
 * voice message.
 */
const SEEK_STEPS = 50

/** Formats a number of milliseconds as minutes and seconds, such as `1:05`. */
export function formatMillisecondsAsMinutesAndSeconds(milliseconds: number) {
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Renders the loudness of a voice message as bars. The bars before `position` (from 0 to 1) look played. */
export const VoiceWaveForm = ({ wave, position = 0 }: { wave: readonly number[]; position?: number }) => (
  <span className="wave" aria-hidden="true">
    {wave.map((level, index) => (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is only known by its place
        key={index}
        data-played={(index + 0.5) / wave.length < position || undefined}
        style={{ blockSize: `${level}%` }}
      />
    ))}
  </span>
)

interface VoicePlayerProps {
  src: string
  /**
   * The length of the voice message in milliseconds, as it was measured during the recording. The files that
   * some browsers record do not contain their length.
   */
  duration: number
  wave: readonly number[]
  /**
   * The name under which the browser saves the downloaded recording. If it is absent, the player has no
   * download link, as for a recording that is not sent yet.
   */
  fileName?: string
  /** Further buttons, which are rendered after those of the player. */
  children?: ReactNode
}

/**
 * Renders the player of a voice message: play and pause, the position, the speed, and a link that saves the
 * file.
 */
export default function VoicePlayer({ src, duration, wave, fileName, children }: VoicePlayerProps) {
  const t = useText(voiceMessageUiText)
  const { audio, isPlaying, position, hasFailed, toggle, seek, handlers } = usePlayback(duration)
  const total = formatMillisecondsAsMinutesAndSeconds(duration)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would put a border and a legend around a player
    <div className="voice-player" role="group" aria-label={t.player(total)}>
      <audio ref={audio} src={src} preload="none" {...handlers} />
      <Button
        kind="ghost"
        iconOnly
        className="play"
        icon={isPlaying ? Pause : Play}
        label={isPlaying ? t.pause : t.play}
        onClick={toggle}
      />
      <span className="track">
        <VoiceWaveForm wave={wave} position={position / duration} />
        <input
          type="range"
          aria-label={t.position}
          aria-valuetext={t.positionOf(formatMillisecondsAsMinutesAndSeconds(position), total)}
          min={0}
          max={duration}
          step={duration / SEEK_STEPS}
          value={position}
          onChange={(event) => seek(event.target.valueAsNumber)}
        />
      </span>
      <span className="time">
        {formatMillisecondsAsMinutesAndSeconds(isPlaying || position ? position : duration)}
      </span>
      <SpeedButton />
      {fileName !== undefined && (
        <a
          className="button ghost icon-only"
          href={src}
          download={fileName}
          aria-label={t.download}
          title={t.download}
        >
          <Icon icon={Download} />
        </a>
      )}
      {children}
      {hasFailed && (
        <p className="voice-error" role="alert">
          {t.notPlayable}
        </p>
      )}
    </div>
  )
}

/** Renders a button that shows the playback speed and changes the speed of all players to the next one. */
function SpeedButton() {
  const t = useText(voiceMessageUiText)
  const factor = useStore(speed)
  const next = speeds[(speeds.indexOf(factor) + 1) % speeds.length]!
  const change = () => {
    speed.set(next)
    for (const audio of document.querySelectorAll<HTMLAudioElement>('.voice-player audio'))
      audio.playbackRate = next
  }
  return (
    <button
      type="button"
      className="button ghost small speed"
      aria-label={t.speed(`${factor}×`)}
      title={t.speed(`${factor}×`)}
      onClick={change}
    >
      {factor}×
    </button>
  )
}

/**
 * Returns the playback state of an `audio` element, with times in milliseconds, and functions that control
 * it.
 */
function usePlayback(duration: number) {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setIsPlaying] = useState(false)
  const [position, setPosition] = useState(0)
  const [hasFailed, setHasFailed] = useState(false)
  /**
   * The position in seconds that the user chose before the browser had loaded the sound file; null if there
   * is none.
   */
  const wanted = useRef<number | null>(null)

  function toggle() {
    const element = audio.current!
    if (!element.paused) return element.pause()
    setHasFailed(false)
    // The promise that `play` returns rejects after a failed download and for an unknown format. It also
    // rejects, with AbortError, if the user pauses before the sound has started.
    element.play().catch((error: DOMException) => setHasFailed(error.name !== 'AbortError'))
  }
  function seek(milliseconds: number) {
    setPosition(milliseconds)
    const element = audio.current!
    if (element.readyState) element.currentTime = milliseconds / 1000
    else wanted.current = milliseconds / 1000
  }
  const handlers = {
    onPlay() {
      pauseOtherSounds(audio.current!)
      audio.current!.playbackRate = speed.get()
      setIsPlaying(true)
    },
    onPause: () => setIsPlaying(false),
    onLoadedMetadata() {
      if (wanted.current !== null) audio.current!.currentTime = wanted.current
      wanted.current = null
    },
    onTimeUpdate: () => setPosition(Math.min(duration, audio.current!.currentTime * 1000)),
    onEnded: () => setPosition(0),
  }
  return { audio, isPlaying, position, hasFailed, toggle, seek, handlers }
}
