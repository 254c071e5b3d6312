// Runs before anything is painted: the theme and density that were chosen on this device, so that nothing flashes; and words for browsers
// in which the application cannot run. It keeps to what those understand, too.
{
  const root = document.documentElement;
  const chosen = (name, values) => {
    try {
      const value = localStorage.getItem(`atelier.${name}`);
      return values.includes(value) ? value : undefined;
    } catch (_) {
      // Storage is switched off: the usual look does.
      return undefined;
    }
  };
  const choose = (name, values) => {
    const value = chosen(name, values);
    if (value !== undefined) root.dataset[name] = value;
  };
  choose('theme', ['light', 'dark']);
  choose('density', ['compact']);

  const isNewEnough =
    CSS.supports('color', 'light-dark(#000, #fff)') && typeof Promise.withResolvers === 'function';
  const say = () => {
    document.getElementById('too-old').hidden = false;
  };
  if (!isNewEnough) document.addEventListener('DOMContentLoaded', say);
}
