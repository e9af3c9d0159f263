/** Only one sound is heard at a time. */
export function pauseOtherSounds(playing?: HTMLMediaElement) {
  for (const sound of document.querySelectorAll<HTMLMediaElement>('audio, video'))
    if (sound !== playing) sound.pause()
}
