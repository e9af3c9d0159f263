/** Pauses all sounds of the page, except that of `playing`. So only one is heard. */
export function pauseSounds(playing?: HTMLMediaElement) {
  for (const sound of document.querySelectorAll('audio')) if (sound !== playing) sound.pause()
}
