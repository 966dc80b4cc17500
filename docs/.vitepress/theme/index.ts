// The default theme in the fonts of the reader's system, because pages load nothing from elsewhere.
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
